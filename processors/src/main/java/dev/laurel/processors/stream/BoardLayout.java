package dev.laurel.processors.stream;

import dev.laurel.schemas.key.TenantId;

/**
 * How leaderboards are spread over the partitions of {@code laurel.scores}: all groups and runs of one lie together, so that
 * a user moves from group to group in one step. Few and unequal as they are, they are dealt out in turn.
 *
 * @param partitions of {@code laurel.scores}
 */
public record BoardLayout(int partitions) {

    public int partitionOf(TenantId tenant, int board) {
        return Math.floorMod(tenant.value().hashCode() + board, partitions);
    }
}
