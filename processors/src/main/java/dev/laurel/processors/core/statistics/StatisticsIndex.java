package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of all users of a partition, kept in memory: how many users have how many points, also by attributes, the
 * longest streaks, and a sample of the users. A change subtracts the user as it was and adds it as it is.
 *
 * <p>It is filled by adding users in the order of their keys, some at a time, while they change: a change of a user who was
 * added counts, one of a later user does not, since that user is still to be added. So it is exact for the users added, and
 * for all once the last one was.
 *
 * <p>One thread, that of the task, changes it; any thread may read. A read blocks it while iterating over the different
 * totals of a points system: some nanoseconds each.
 */
public final class StatisticsIndex {

    /** Some ten thousand groups with three attributes each. */
    private static final long GROUPS_ROOM = 8_000_000;

    /** Ten times the largest read: lists shrink before they are rebuilt. */
    private static final int STREAKS_KEPT = 1_000;

    private final Map<TenantId, TenantStatistics> tenants = new HashMap<>();
    private final TenantStatistics.Room room;
    private final int streaksKept;

    /** The key of the last user added; null if all are. Used by the task's thread only. */
    private byte @Nullable [] reached = {};

    /** Visits every total that occurs, in no order, some more than once. */
    public interface Totals {

        /** @param users who have it */
        void visit(long total, long users);
    }

    public StatisticsIndex() {
        this(GROUPS_ROOM, STREAKS_KEPT);
    }

    /**
     * @param groupsRoom memory for groups of users, in characters approximately
     * @param streaksKept how many of the longest streaks of a tenant are kept with their users
     */
    StatisticsIndex(long groupsRoom, int streaksKept) {
        this.streaksKept = streaksKept;
        this.room = new TenantStatistics.Room(groupsRoom);
    }

    /** The key after which users are to be added next. Null if all have been. */
    public byte @Nullable [] reached() {
        return reached;
    }

    /** Adds the next user in the order of keys. */
    public synchronized void add(byte[] key, TenantId tenant, UserState state) {
        accountOf(tenant).add(state);
        reached = key;
    }

    /** Marks that all users have been added. */
    public void complete() {
        reached = null;
    }

    /**
     * Applies the change of a user. Usually nothing here changes, which is found without a lock.
     *
     * @param before null if there was none
     * @param after null if there is none
     * @return whether the longest streaks or the sample have lost so many users that the index should be rebuilt
     */
    public boolean change(byte[] key, TenantId tenant, @Nullable UserState before, @Nullable UserState after) {
        if (before != null && after != null && TenantStatistics.isSame(before, after)) {
            return false;
        }
        byte[] last = reached;
        if (last != null && Arrays.compareUnsigned(key, last) > 0) {
            return false;
        }
        synchronized (this) {
            TenantStatistics account = accountOf(tenant);
            if (before != null && after != null) {
                account.change(before, after);
            } else if (before != null) {
                account.remove(before);
            } else if (after != null) {
                account.add(after);
            }
            return account.needsRebuild();
        }
    }

    private TenantStatistics accountOf(TenantId tenant) {
        return tenants.computeIfAbsent(tenant, _ -> new TenantStatistics(room, streaksKept));
    }

    /**
     * The totals of users in a points system, 0 included.
     *
     * @param filters only users who have all of these attributes
     * @return false, and nothing was visited, if users have too many different attributes to be counted by them
     */
    public synchronized boolean forEachTotal(TenantId tenant, int system, List<AttributeFilter> filters,
            Totals totals) {
        TenantStatistics account = tenants.get(tenant);
        return account == null || account.forEachTotal(system, filters, totals::visit);
    }

    /** The longest streaks, best first; null if there are that many and fewer are known at this moment. */
    public synchronized @Nullable List<RankedStreak> best(TenantId tenant, By by, int limit) {
        TenantStatistics account = tenants.get(tenant);
        return account == null ? List.of() : account.streaks().best(by, limit);
    }

    /**
     * How many users have a better present streak. Exact for the best thousand; further down, users whose streaks have the
     * same length and were extended last in the same millisecond share a place.
     */
    public synchronized long better(TenantId tenant, RankedStreak place) {
        TenantStatistics account = tenants.get(tenant);
        return account == null ? 0 : account.streaks().better(place);
    }

    /** Adds the tenant's sample to another sample. */
    public synchronized void addSampleTo(UserSample others, TenantId tenant) {
        TenantStatistics account = tenants.get(tenant);
        if (account != null) {
            others.add(account.sample());
        }
    }
}
