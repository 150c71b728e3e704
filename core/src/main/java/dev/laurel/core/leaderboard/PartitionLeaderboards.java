package dev.laurel.core.leaderboard;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the leaderboards of one partition. Thread-safe; each result is a consistent snapshot. Every method throws Kafka
 * Streams' {@code InvalidStateStoreException} while the partition is not open on this node.
 */
public interface PartitionLeaderboards {

    /**
     * The end of a UTC day at which the user's rank or value differs from the previous entry.
     *
     * @param day in days since 1970
     * @param rank null, as for {@code value}: the user did not take part
     */
    record DayEnd(int day, @Nullable Integer rank, @Nullable BigDecimal value) {}

    /** The best participants of a group; empty if there are none. @param limit the largest number of participants */
    Ranking ranking(LeaderboardGroup group, int limit);

    /** The users behind the participants of a group, as far as they are known: the first of each partition of the log. */
    Ranking outside(LeaderboardGroup group);

    /** The teams of a group by rank. @param group without a team */
    TeamRanking teams(LeaderboardGroup group);

    /** At most {@code limit} of the groups of a run that have or had participants. */
    List<List<String>> groups(TenantId tenant, int board, int run, int limit);

    /** The figures of a run over all of its groups. It reads every group that is not in memory, twice. */
    RunFigures figures(TenantId tenant, int board, int run);

    /** The histogram of a run whose lowest and highest scores are known, see {@link RunFigures}. It reads every group. */
    List<Long> histogram(TenantId tenant, int board, int run, BigDecimal lowest, BigDecimal highest);

    /** The group of a run in which the user takes part, if any. Only for leaderboards with groups. */
    @Nullable
    List<String> groupOf(TenantId tenant, int board, int run, UserId user);

    /** The user's newest day ends in a group's history, oldest first. */
    List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int count);

    /** The user's day ends on these days in a group's history, and the newest one before, oldest first. */
    List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int firstDay, int lastDay);

    /**
     * The groups in which the user takes or took part in these runs, in the order of runs.
     *
     * @param firstRun named by its first day, as is {@code lastRun}; both inclusive
     * @param limit the maximum number of groups; the oldest ones are returned
     */
    List<LeaderboardGroup> groupsOf(TenantId tenant, int board, UserId user, int firstRun, int lastRun, int limit);
}
