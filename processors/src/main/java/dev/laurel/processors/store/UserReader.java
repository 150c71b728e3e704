package dev.laurel.processors.store;

import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.StreakPeriod;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads one partition's stores from outside, while its task writes them: any thread, each call sees the newest state of
 * each entry. Read a user's state first and its history after, then the history is at least as new as the state.
 */
public final class UserReader {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> users;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> periods;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> ledger;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> partitionState;

    /** @param storeOf finds this partition's store by name */
    public UserReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> storeOf) {
        this.users = storeOf.apply(StoreNames.USERS);
        this.periods = storeOf.apply(StoreNames.STREAK_PERIODS);
        this.ledger = storeOf.apply(StoreNames.POINTS_LEDGER);
        this.partitionState = storeOf.apply(StoreNames.PARTITION_STATE);
    }

    /** Null if the user is unknown. */
    public UserState user(byte[] user) {
        return UserStores.decodeUser(users.get(Bytes.wrap(user)));
    }

    /** The newest awards of one system, newest first, at most {@code limit}. */
    public List<Award> awards(byte[] user, int system, PointsState points, int limit) {
        var awards = new ArrayList<Award>(Math.min(limit, points.awards()));
        addNewestFirst(awards, points.newest(), limit);
        int pages = PointsState.pageOf(points.awards());
        if (awards.size() == limit || pages == 0) {
            return awards;
        }
        int needed = Math.ceilDiv(limit - awards.size(), PointsState.PAGE);
        try (KeyValueIterator<Bytes, byte[]> entries = ledger.reverseRange(
                StoreKeys.ledgerPage(user, system, Math.max(0, pages - needed)),
                StoreKeys.ledgerPage(user, system, pages - 1))) {
            while (entries.hasNext()) {
                addNewestFirst(awards, HistoryCodecs.LEDGER_PAGE.decode(entries.next().value), limit);
            }
        }
        return awards;
    }

    private static void addNewestFirst(List<Award> awards, List<Award> page, int limit) {
        for (int i = page.size() - 1; i >= 0 && awards.size() < limit; i--) {
            awards.add(page.get(i));
        }
    }

    /** The met periods that start on a day from {@code first} to {@code last}, by that day. */
    public Map<Integer, StreakPeriod> streakPeriods(byte[] user, int first, int last) {
        var met = new HashMap<Integer, StreakPeriod>();
        try (KeyValueIterator<Bytes, byte[]> entries = periods.range(StoreKeys.streakPeriod(user, first),
                StoreKeys.streakPeriod(user, last))) {
            while (entries.hasNext()) {
                var entry = entries.next();
                met.put(StoreKeys.dayOf(entry.key), HistoryCodecs.STREAK_PERIOD.decode(entry.value));
            }
        }
        return met;
    }

    public long rulesetVersion(TenantId tenant) {
        return count(StoreKeys.rulesetVersion(tenant));
    }

    /** Users of the tenant in this partition. */
    public long userCount(TenantId tenant) {
        return count(StoreKeys.userCount(tenant));
    }

    /** Users of the tenant in this partition who have the achievement. */
    public long completionCount(TenantId tenant, int achievement) {
        return count(StoreKeys.completionCount(tenant, achievement));
    }

    private long count(Bytes key) {
        Long count = HistoryCodecs.COUNT.decode(partitionState.get(key));
        return count == null ? 0 : count;
    }
}
