package dev.laurel.processors.core.account;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be known of all users of a partition without looking at each: how many have how many points, also by attributes,
 * whose streaks are the longest, and a few who stand for all. Kept in memory, by subtracting a user as it was and adding it as it is.
 *
 * <p>It is filled by going through the users in the order of their keys, some at a time, while they change: a change of a
 * user who was passed counts, one of a user further on does not, since that one is still to be added as it is by then. So it
 * is exact, and from the moment the last user was added it is so for everybody.
 *
 * <p>One thread, that of the task, changes it; any thread may read. Reads hold it up for as long as it takes to go through
 * the different totals that a points system has: some nanoseconds each.
 */
public final class AccountIndex {

    /** Some ten thousand groups with three attributes each. */
    private static final long GROUPS_ROOM = 8_000_000;

    /** Ten times what is read at most: lists lose some before they are made anew. */
    private static final int STREAKS_KEPT = 1_000;

    private final Map<TenantId, TenantAccount> tenants = new HashMap<>();
    private final TenantAccount.Room room;
    private final int streaksKept;

    /** The key of the last user added; null if all are. Of the task's thread. */
    private byte[] reached = {};

    /** Takes every total that occurs, in no order, some more than once. */
    public interface Totals {

        /** @param users who have it */
        void visit(long total, long users);
    }

    public AccountIndex() {
        this(GROUPS_ROOM, STREAKS_KEPT);
    }

    /**
     * @param groupsRoom what groups of users may take in memory, in characters or so
     * @param streaksKept of how many of the longest streaks of a tenant it is known whose they are
     */
    AccountIndex(long groupsRoom, int streaksKept) {
        this.streaksKept = streaksKept;
        this.room = new TenantAccount.Room(groupsRoom);
    }

    /** Where to go on: users behind this key are to be added next. Null if all have been. */
    public byte[] reached() {
        return reached;
    }

    /** A user who comes next in the order of keys. */
    public synchronized void add(byte[] key, TenantId tenant, UserState state) {
        accountOf(tenant).add(state);
        reached = key;
    }

    /** There are no more users to add. */
    public void complete() {
        reached = null;
    }

    /**
     * A user is another one than before. Usually that makes no difference here, which is found without a lock.
     *
     * @param before null if there was none
     * @param after null if there is none
     * @return whether the longest streaks or the sample have lost so many that an index made anew would know more
     */
    public boolean change(byte[] key, TenantId tenant, UserState before, UserState after) {
        if (before != null && after != null && TenantAccount.isSame(before, after)) {
            return false;
        }
        if (reached != null && Arrays.compareUnsigned(key, reached) > 0) {
            return false;
        }
        synchronized (this) {
            TenantAccount account = accountOf(tenant);
            if (before == null) {
                account.add(after);
            } else if (after == null) {
                account.remove(before);
            } else {
                account.change(before, after);
            }
            return account.isWorn();
        }
    }

    private TenantAccount accountOf(TenantId tenant) {
        return tenants.computeIfAbsent(tenant, _ -> new TenantAccount(room, streaksKept));
    }

    /**
     * The totals of users in a points system, 0 included.
     *
     * @param filters only users who have all of these attributes
     * @return false, and nothing was visited, if the attributes of users are too various to have been kept apart
     */
    public synchronized boolean forEachTotal(TenantId tenant, int system, List<AttributeFilter> filters,
            Totals totals) {
        TenantAccount account = tenants.get(tenant);
        return account == null || account.forEachTotal(system, filters, totals::visit);
    }

    /** The longest streaks, best first; null if that many are not known at this moment though there are. */
    public synchronized List<StreakPlace> best(TenantId tenant, By by, int limit) {
        TenantAccount account = tenants.get(tenant);
        return account == null ? List.of() : account.streaks().best(by, limit);
    }

    /**
     * How many users have a better present streak. Exact for the best thousand; further down, users whose streaks have the
     * same length and were extended last in the same millisecond share a place.
     */
    public synchronized long better(TenantId tenant, StreakPlace place) {
        TenantAccount account = tenants.get(tenant);
        return account == null ? 0 : account.streaks().better(place);
    }

    /** Adds some of the tenant's users, who stand for all of them, to a sample of others. */
    public synchronized void addSampleTo(UserSample others, TenantId tenant) {
        TenantAccount account = tenants.get(tenant);
        if (account != null) {
            others.add(account.sample());
        }
    }
}
