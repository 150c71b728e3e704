package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.TenantId;
import java.util.List;

/**
 * One ranking: a group of users in one run of a leaderboard.
 *
 * @param board number of the leaderboard
 * @param run as {@link Runs} names it
 * @param values of the breakdown attributes, in their order; empty on a leaderboard without
 */
public record BoardGroup(TenantId tenant, int board, int run, List<String> values) {

    public BoardGroup {
        values = List.copyOf(values);
    }
}
