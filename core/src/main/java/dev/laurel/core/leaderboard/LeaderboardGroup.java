package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.key.TenantId;
import java.util.Collection;
import java.util.List;

/**
 * The identity of one ranking: a group of users in one run of a leaderboard.
 *
 * @param board number of the leaderboard
 * @param run named as in {@link Runs}
 * @param values values of the breakdown attributes, in their order; empty on a leaderboard without a breakdown
 */
public record LeaderboardGroup(TenantId tenant, int board, int run, List<String> values) {

    /**
     * A group as reads see it, without hidden users.
     *
     * @param ranking at one moment
     * @param outside those who stand behind the participants and are known, best first; may change
     * @param changedRank the number of participants who have changed rank, see {@link Ranking.Participant#hasChangedRank}
     */
    public record View(Ranking ranking, Collection<Standing> outside, int changedRank) {}

    public LeaderboardGroup {
        values = List.copyOf(values);
    }
}
