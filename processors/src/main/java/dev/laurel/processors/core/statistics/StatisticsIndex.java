package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of all users of a partition, kept in memory: numbers of users by points, also by attributes, the longest streaks,
 * the users who do most, and a sample of the users. A change of a user subtracts the old state and adds the new one.
 *
 * <p>Users are added in the order of their keys, some at a time, while they change. Changes of users who were added count,
 * changes of later users do not. So the statistics are always exact for the users added so far.
 *
 * <p>Only the thread of the task makes changes; any thread may read. A read blocks changes while it iterates over the totals
 * of a points system, some nanoseconds each.
 */
public final class StatisticsIndex {

    /** Enough for some ten thousand groups with three attributes each. */
    private static final long GROUP_MEMORY = 8_000_000;

    /** Ten times the largest read, since lists shrink before they are rebuilt. */
    private static final int STREAKS_KEPT = 1_000;

    /** Three times the largest read, for the same reason. */
    private static final int TOP_USERS_KEPT = 300;

    private final Map<TenantId, TenantStatistics> tenants = new HashMap<>();
    private final TenantStatistics.GroupMemory memory;
    private final int streaksKept;
    private final int topUsersKept;
    private final int today;

    /** The key of the last user added; null: all users have been added. Used only by the task's thread. */
    private byte @Nullable [] reached = {};

    /** Visits every total with users, in no order and perhaps repeatedly. */
    public interface Totals {

        /** @param users the number of users with this total */
        void visit(long total, long users);
    }

    /** @param today the date in UTC; on the day after the next, the index is {@link #isOutdated outdated} */
    public StatisticsIndex(int today) {
        this(today, GROUP_MEMORY, STREAKS_KEPT, TOP_USERS_KEPT);
    }

    /**
     * @param groupMemory memory for groups of users, roughly in characters
     * @param streaksKept number of the longest streaks of a tenant that are kept with their users
     * @param topUsersKept number of the users who do most of something that are kept
     */
    StatisticsIndex(int today, long groupMemory, int streaksKept, int topUsersKept) {
        this.today = today;
        this.streaksKept = streaksKept;
        this.topUsersKept = topUsersKept;
        this.memory = new TenantStatistics.GroupMemory(groupMemory);
    }

    /** Whether the index should be rebuilt, because it knows the last 30 days until tomorrow only. @param now the date in UTC */
    public boolean isOutdated(int now) {
        return now > today;
    }

    /** The key after which users are to be added; null: all users have been added. */
    public byte @Nullable [] reached() {
        return reached;
    }

    /** Adds the next user in the order of keys. @param history of the user */
    public synchronized void add(byte[] key, TenantId tenant, UserState state, UserHistory history) {
        statisticsOf(tenant).add(state, history);
        reached = key;
    }

    /** Marks that all users have been added. */
    public void complete() {
        reached = null;
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
    public boolean change(byte[] key, TenantId tenant, @Nullable UserState before, @Nullable UserState after,
            @Nullable CountedEvent event, UserHistory history) {
        byte[] last = reached;
        if (last != null && Arrays.compareUnsigned(key, last) > 0) {
            return false;
        }
        // Other threads only read, so this one may read without the lock.
        TenantStatistics known = tenants.get(tenant);
        if (known != null && before != null && after != null && known.isSame(before, after, event)) {
            return false;
        }
        synchronized (this) {
            TenantStatistics statistics = statisticsOf(tenant);
            if (before != null && after != null) {
                statistics.change(before, after, event, history);
            } else if (before != null) {
                statistics.remove(before);
            } else if (after != null) {
                statistics.add(after, history);
            }
            return statistics.needsRebuild();
        }
    }

    private TenantStatistics statisticsOf(TenantId tenant) {
        return tenants.computeIfAbsent(tenant,
                _ -> new TenantStatistics(memory, streaksKept, new TopUsers(today, topUsersKept)));
    }

    /**
     * The totals of users in a points system, 0 included.
     *
     * @param filters only users who have all of these attributes
     * @return false, without a visit, if users have too many different attributes to be counted by them
     */
    public synchronized boolean forEachTotal(TenantId tenant, int system, List<AttributeFilter> filters,
            Totals totals) {
        TenantStatistics statistics = tenants.get(tenant);
        return statistics == null || statistics.forEachTotal(system, filters, totals::visit);
    }

    /** The longest streaks, best first; null: more streaks exist than are known at this moment. */
    public synchronized @Nullable List<RankedStreak> best(TenantId tenant, By by, int limit) {
        TenantStatistics statistics = tenants.get(tenant);
        return statistics == null ? List.of() : statistics.streaks().best(by, limit);
    }

    /**
     * The users among whom are those with the highest values of a kind; null: no user has one.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     */
    public synchronized @Nullable Contenders contenders(TenantId tenant, Ranking ranking, int object) {
        TenantStatistics statistics = tenants.get(tenant);
        return statistics == null ? null : statistics.top().find(ranking, object);
    }

    /** Adds the tenant's sample to another sample. */
    public synchronized void addSampleTo(UserSample others, TenantId tenant) {
        TenantStatistics statistics = tenants.get(tenant);
        if (statistics != null) {
            others.add(statistics.sample());
        }
    }
}
