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
 * @param values values of the {@link LeaderboardRules#keys attributes} that divide the users, in their order; empty without any
 */
public record LeaderboardGroup(TenantId tenant, int board, int run, List<String> values) {

    /**
     * A group as reads see it, without hidden users.
     *
     * @param ranking at one moment
     * @param outside those who stand behind the participants and are known, best first; may change
     * @param changedRank the number of participants who have changed rank, see {@link Ranking.Participant#hasChangedRank}
     * @param teams if this is a {@link #ofTeams group of teams}
     */
    public record View(Ranking ranking, Collection<Standing> outside, int changedRank, TeamRanking teams) {

        public View(Ranking ranking, Collection<Standing> outside, int changedRank) {
            this(ranking, outside, changedRank, TeamRanking.EMPTY);
        }
    }

    public LeaderboardGroup {
        values = List.copyOf(values);
    }

    /** The team that is this group, on a leaderboard with teams. */
    public String team() {
        return values.getLast();
    }

    /** The group in which the team that is this group is ranked. */
    public LeaderboardGroup ofTeams() {
        return new LeaderboardGroup(tenant, board, run, values.subList(0, values.size() - 1));
    }
}
