package dev.laurel.processors.stream;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Assigns leaderboards to the partitions of {@code laurel.scores}. All groups and runs of a leaderboard are in one partition, so that
 * a user moves from group to group in one step. Leaderboards are few and unequal, so they are assigned in turn.
 *
 * @param partitions of {@code laurel.scores}
 */
public record BoardLayout(int partitions) {

    /** Asks Kafka for the layout, see {@link LogLayout#ask}. */
    public static BoardLayout ask(Map<String, Object> clientConfig, Duration timeout) throws InterruptedException {
        return new BoardLayout(LogLayout.ask(clientConfig, Topics.SCORES.name(), timeout).partitions());
    }

    public int partitionOf(TenantId tenant, int board) {
        return Math.floorMod(tenant.value().hashCode() + board, partitions);
    }

    /**
     * The key of a record of {@code laurel.scores}: the leaderboard of the score. Records about all leaderboards of a partition have
     * no key.
     *
     * @param board number of the leaderboard
     */
    public record ScoreKey(TenantId tenant, int board) {

        /** The number, big-endian in four bytes, and the tenant's name in UTF-8. */
        public byte[] bytes() {
            byte[] name = tenant.value().getBytes(UTF_8);
            return ByteBuffer.allocate(4 + name.length).putInt(board).put(name).array();
        }
    }
}
