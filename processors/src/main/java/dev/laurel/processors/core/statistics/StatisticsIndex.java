package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the users of one tenant in one partition, kept in memory: numbers of users by points, also by attributes, the longest
 * streaks, the users who do most, and a sample of the users. A change of a user subtracts the old state and adds the new one.
 *
 * <p>Users are added in the order of their keys, some at a time, while they change. Changes of users who were added count,
 * changes of later users do not. So the statistics are always exact for the users added so far.
 *
 * <p>Only the thread of the task makes changes; any thread may read. A read blocks changes while it iterates over the totals
 * of a points system, some nanoseconds each.
 */
public final class StatisticsIndex {

    /** Ten times the largest read, since lists shrink before they are rebuilt. */
    private static final int STREAKS_KEPT = 1_000;

    /** Three times the largest read, for the same reason. */
    private static final int TOP_USERS_KEPT = 300;

    private final TenantStatistics statistics;
    private final int today;

    /** Users with lower keys have been added; null: all users. Used only by the task's thread, as the number of users is. */
    private byte @Nullable [] addedBelow = {};
    private int users;

    /** Visits every total with users, in no order and perhaps repeatedly. */
    public interface Totals {

        /** @param users the number of users with this total */
        void visit(long total, long users);
    }

    /**
     * @param today the date in UTC; on the day after the next, the index is {@link #isOutdated outdated}
     * @param memory for groups of users, shared by the tenants of a partition
     */
    public StatisticsIndex(int today, GroupMemory memory) {
        this(today, memory, STREAKS_KEPT, TOP_USERS_KEPT);
    }

    /**
     * @param streaksKept number of the longest streaks that are kept with their users
     * @param topUsersKept number of the users who do most of something that are kept
     */
    StatisticsIndex(int today, GroupMemory memory, int streaksKept, int topUsersKept) {
        this.today = today;
        this.statistics = new TenantStatistics(memory, streaksKept, new TopUsers(today, topUsersKept));
    }

    /** Whether the index should be rebuilt, because it knows the last 30 days until tomorrow only. @param now the date in UTC */
    public boolean isOutdated(int now) {
        return now > today;
    }

    /** Whether the windows that end on this date are known. @param now the date in UTC */
    public boolean knows(int now) {
        return now <= today + 1;
    }

    /** The number of users added. */
    public int users() {
        return users;
    }

    /** Adds the next user in the order of keys. @param history of the user */
    public synchronized void add(byte[] key, UserState state, UserHistory history) {
        statistics.add(state, history);
        users++;
        addedBelow = Arrays.copyOf(key, key.length + 1);
    }

    /** Marks that all users below a key have been added. @param next null: all users have */
    public void proceedTo(byte @Nullable [] next) {
        addedBelow = next;
    }

    /**
     * Applies the change of a user. The usual case, no change of the statistics, takes no lock.
     *
     * @param before null: the user is new
     * @param after null: the user was erased
     * @param event that made the change; null if none did
     * @param history of the user, after the change
     * @return whether the index has lost so many users that it should be rebuilt
     */
    public boolean change(byte[] key, @Nullable UserState before, @Nullable UserState after,
            @Nullable CountedEvent event, UserHistory history) {
        byte[] end = addedBelow;
        if (end != null && Arrays.compareUnsigned(key, end) >= 0) {
            return false;
        }
        // Other threads only read, so this one may read without the lock.
        if (before != null && after != null && statistics.isSame(before, after, event)) {
            return false;
        }
        synchronized (this) {
            if (before != null && after != null) {
                statistics.change(before, after, event, history);
            } else if (before != null) {
                statistics.remove(before);
                users--;
            } else if (after != null) {
                statistics.add(after, history);
                users++;
            }
            return statistics.needsRebuild();
        }
    }

    /** Returns the memory for groups, since another index takes the place of this one, or none does. The index stays usable. */
    public synchronized void detach() {
        statistics.detach();
    }

    /**
     * The totals of users in a points system, 0 included.
     *
     * @param filters only users who have all of these attributes
     * @return false, without a visit, if users have too many different attributes to be counted by them
     */
    public synchronized boolean forEachTotal(int system, List<AttributeFilter> filters, Totals totals) {
        return statistics.forEachTotal(system, filters, totals::visit);
    }

    /** The longest streaks, best first; null: more streaks exist than are known at this moment. */
    public synchronized @Nullable List<RankedStreak> best(By by, int limit) {
        return statistics.streaks().best(by, limit);
    }

    /**
     * The users among whom are those with the highest values of a kind; null: no user has one.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     */
    public synchronized @Nullable Contenders contenders(Ranking ranking, int object) {
        return statistics.top().find(ranking, object);
    }

    /** Adds the sample to another sample. */
    public synchronized void addSampleTo(UserSample others) {
        others.add(statistics.sample());
    }
}
