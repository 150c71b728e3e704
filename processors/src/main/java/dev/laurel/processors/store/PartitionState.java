package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardMoments;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** What belongs to a partition rather than to a user. One thread. */
public final class PartitionState {

    /** Where a sweep over all users starts: no user's key is empty. */
    public static final byte[] BEFORE_ALL_USERS = {};

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    public PartitionState(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** The ruleset version of the last marker read, 0 before the first. */
    public long rulesetVersion(TenantId tenant) {
        return count(StoreKeys.rulesetVersion(tenant));
    }

    public void putRulesetVersion(TenantId tenant, long version) {
        store.put(StoreKeys.rulesetVersion(tenant), HistoryCodecs.COUNT.encode(version));
    }

    /** The tenants that have a ruleset. */
    public List<TenantId> tenants() {
        var tenants = new ArrayList<TenantId>();
        try (KeyValueIterator<Bytes, byte[]> versions = store.range(StoreKeys.firstRulesetVersion(),
                StoreKeys.afterRulesetVersions())) {
            while (versions.hasNext()) {
                tenants.add(StoreKeys.tenantOf(versions.next().key));
            }
        }
        return tenants;
    }

    /** The time of leaderboards in this partition, {@link BoardMoments#NEVER_SET} before the first tick. */
    public long boardClockMs() {
        Long clockMs = HistoryCodecs.COUNT.decode(store.get(StoreKeys.boardClock()));
        return clockMs == null ? BoardMoments.NEVER_SET : clockMs;
    }

    public void putBoardClockMs(long clockMs) {
        store.put(StoreKeys.boardClock(), HistoryCodecs.COUNT.encode(clockMs));
    }

    /** How far a boost that is no single user's has been told; 0 if not at all. @param boost its number */
    public int toldOfBoost(TenantId tenant, int boost) {
        return Math.toIntExact(count(StoreKeys.toldOfBoost(tenant, boost)));
    }

    public void putToldOfBoost(TenantId tenant, int boost, int told) {
        store.put(StoreKeys.toldOfBoost(tenant, boost),
                told == 0 ? null : HistoryCodecs.COUNT.encode((long) told));
    }

    public void countUser(TenantId tenant) {
        add(StoreKeys.userCount(tenant), 1);
    }

    public void countCompletion(TenantId tenant, int achievement) {
        add(StoreKeys.completionCount(tenant, achievement), 1);
    }

    public void discountUser(TenantId tenant) {
        add(StoreKeys.userCount(tenant), -1);
    }

    public void discountCompletion(TenantId tenant, int achievement) {
        add(StoreKeys.completionCount(tenant, achievement), -1);
    }

    /** A key of the timers store before which there is none; null if nothing is known. */
    Bytes timersFloor() {
        return Bytes.wrap(store.get(StoreKeys.timersFloor()));
    }

    void putTimersFloor(Bytes key) {
        store.put(StoreKeys.timersFloor(), key.get());
    }

    /** The key of the user up to whom the sweep under way has come; null if none is. */
    public byte[] sweptTo() {
        return store.get(StoreKeys.sweep());
    }

    /** @param user null if the sweep is done */
    public void putSweptTo(byte[] user) {
        store.put(StoreKeys.sweep(), user);
    }

    /** Whether another sweep follows the one under way. */
    public boolean isSweptOnceMore() {
        return store.get(StoreKeys.nextSweep()) != null;
    }

    public void sweepOnceMore(boolean isWanted) {
        store.put(StoreKeys.nextSweep(), isWanted ? PRESENT : null);
    }

    private void add(Bytes key, int change) {
        store.put(key, HistoryCodecs.COUNT.encode(count(key) + change));
    }

    private long count(Bytes key) {
        Long count = HistoryCodecs.COUNT.decode(store.get(key));
        return count == null ? 0 : count;
    }

    public void hold(String name) {
        store.put(StoreKeys.hold(name), PRESENT);
    }

    public void release(String name) {
        store.delete(StoreKeys.hold(name));
    }

    public boolean isHeld() {
        try (KeyValueIterator<Bytes, byte[]> holds = store.range(StoreKeys.firstHold(), StoreKeys.afterHolds())) {
            return holds.hasNext();
        }
    }
}
