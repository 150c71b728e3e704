package dev.laurel.processors.store.users;

import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Times of the tenants of a partition, in their order, so that neither a check of the time nor a tick reads the rules of tenants for whom
 * nothing is due. It follows from the rules in force and from what was announced, as of the last record that was read. One thread.
 */
public final class TenantSchedule {

    /** The time of a tenant without one. */
    public static final long NEVER = Long.MIN_VALUE;

    /** What a time is about. The order is durable data. */
    public enum Kind {
        /** When the next start or end of a boost of the tenant has to be announced. */
        BOOSTS,
        /** Until when time can change leaderboards of the tenant; {@link Long#MAX_VALUE}: always. */
        BOARDS,
        /** When the next run of a leaderboard of the tenant begins, in the partition of the leaderboard. */
        RUNS
    }

    private static final long NOT_KNOWN = Long.MIN_VALUE;
    private final KeyValueStore<Bytes, byte[]> store;

    /** The earliest time of each kind, for checks several times a second. */
    private final long[] firstMs = new long[Kind.values().length];

    /** @param store contains the schedule */
    public TenantSchedule(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        Arrays.fill(firstMs, NOT_KNOWN);
    }

    /** Sets the time of a tenant. @param atMs {@link #NEVER}: there is none */
    public void put(Kind kind, TenantId tenant, long atMs) {
        Bytes key = StoreKeys.timeOf(kind.ordinal(), tenant);
        Long before = UserCodecs.COUNT.get(store, key);
        if (before != null && before == atMs || before == null && atMs == NEVER) {
            return;
        }
        firstMs[kind.ordinal()] = NOT_KNOWN;
        if (before != null) {
            store.delete(StoreKeys.atTime(kind.ordinal(), before, tenant));
        }
        if (atMs == NEVER) {
            store.delete(key);
        } else {
            UserCodecs.COUNT.put(store, key, atMs);
            store.put(StoreKeys.atTime(kind.ordinal(), atMs, tenant), StoreKeys.PRESENT);
        }
    }

    /** The earliest time of any tenant; {@link Long#MAX_VALUE} if there is none. */
    public long firstMs(Kind kind) {
        if (firstMs[kind.ordinal()] == NOT_KNOWN) {
            Bytes first = StoreScans.firstKey(store, StoreKeys.timesOf(kind.ordinal()));
            firstMs[kind.ordinal()] = first == null ? Long.MAX_VALUE : StoreKeys.timeIn(first);
        }
        return firstMs[kind.ordinal()];
    }

    /** Whether a tenant has a time after {@code ms}. */
    public boolean isAnyAfter(Kind kind, long ms) {
        return ms < Long.MAX_VALUE
                && StoreScans.firstKey(
                                store,
                                StoreKeys.beforeTime(kind.ordinal(), ms + 1),
                                StoreKeys.afterAllWith(StoreKeys.timesOf(kind.ordinal())))
                        != null;
    }

    /** The tenants whose time has come, the earliest first, at most {@code limit}. */
    public List<TenantId> due(Kind kind, long nowMs, int limit) {
        return StoreScans.read(
                store,
                Bytes.wrap(StoreKeys.timesOf(kind.ordinal())),
                StoreKeys.beforeTime(kind.ordinal(), nowMs + 1),
                limit,
                entry -> StoreKeys.tenantAtTime(entry.key));
    }
}
