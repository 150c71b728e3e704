package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardSchedule;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.users.UserCodecs;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The state of a partition that belongs to no single user. One thread. */
record PartitionState(KeyValueStore<Bytes, byte[]> store) {

    /** The newest ruleset version that a marker or a command has named; 0 before the first. */
    long rulesetVersion(TenantId tenant) {
        return count(StoreKeys.rulesetVersion(tenant));
    }

    void putRulesetVersion(TenantId tenant, long version) {
        UserCodecs.COUNT.put(store, StoreKeys.rulesetVersion(tenant), version);
    }

    /** Tenants of which a version is stored, in their order, at most {@code limit}. @param last whom they follow; null: from the first */
    List<TenantId> tenantsAfter(@Nullable TenantId last, int limit) {
        return StoreScans.next(
                store,
                StoreKeys.rulesetVersion(TenantId.NONE).get(),
                last == null ? null : StoreKeys.rulesetVersion(last),
                limit,
                version -> StoreKeys.tenantOf(version.key));
    }

    /** Whether a version was stored for a tenant, be it 0. */
    boolean isKnown(TenantId tenant) {
        return store.get(StoreKeys.rulesetVersion(tenant)) != null;
    }

    /** Whether any command has named the version of its rules. */
    boolean areCommandsStamped() {
        return store.get(StoreKeys.stamped()) != null;
    }

    void putCommandsStamped() {
        store.put(StoreKeys.stamped(), StoreKeys.PRESENT);
    }

    /** The time of leaderboards in this partition; {@link LeaderboardSchedule#NEVER_SET} before the first tick. */
    long boardClockMs() {
        return UserCodecs.COUNT.get(store, StoreKeys.boardClock(), LeaderboardSchedule.NEVER_SET);
    }

    void putBoardClockMs(long clockMs) {
        UserCodecs.COUNT.put(store, StoreKeys.boardClock(), clockMs);
    }

    /** The newest announcement of a boost that applies to several users; 0 if there was none. @param boost its number */
    int boostAnnouncement(TenantId tenant, int boost) {
        return Math.toIntExact(count(StoreKeys.boostAnnouncement(tenant, boost)));
    }

    void putBoostAnnouncement(TenantId tenant, int boost, int announcement) {
        store.put(
                StoreKeys.boostAnnouncement(tenant, boost),
                announcement == 0 ? null : UserCodecs.COUNT.encode((long) announcement));
    }

    /** A key of the timers store before which there is none; null if no such key is known. */
    @Nullable
    Bytes timersFloor() {
        byte[] key = store.get(StoreKeys.timersFloor());
        return key == null ? null : Bytes.wrap(key);
    }

    void putTimersFloor(Bytes key) {
        store.put(StoreKeys.timersFloor(), key.get());
    }

    /** A stored count; 0 if there is none. */
    private long count(Bytes key) {
        return UserCodecs.COUNT.get(store, key, 0L);
    }

    void hold(String name) {
        store.put(StoreKeys.hold(name), StoreKeys.PRESENT);
    }

    void release(String name) {
        store.delete(StoreKeys.hold(name));
    }

    boolean isHeld() {
        return StoreScans.firstKey(store, StoreKeys.hold("").get()) != null;
    }
}
