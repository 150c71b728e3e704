package dev.laurel.processors.store.users;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The sweeps in progress of a partition, at most one for each tenant. They wait in two queues, the short ones apart from the long ones,
 * and take turns: the next turn is that of the tenant that follows the one before in the order of keys. One thread.
 */
public final class Sweeps {

    /** A sweep that has examined more users is long. */
    public static final int MAX_SHORT = 2_000;

    /**
     * A sweep of the users of a tenant.
     *
     * @param from where it goes on among the keys of users
     * @param examined the number of users examined so far, counted up to a little more than {@link #MAX_SHORT}
     * @param isOnceMore whether another one follows, since rules have changed again
     */
    public record Sweep(TenantId tenant, Bytes from, int examined, boolean isOnceMore) {

        private static Sweep begin(TenantId tenant, int examined) {
            return new Sweep(tenant, TenantUsers.firstOf(tenant), examined, false);
        }

        public boolean isLong() {
            return examined > MAX_SHORT;
        }

        /** @param more users examined */
        public Sweep at(Bytes next, int more) {
            return new Sweep(tenant, next, isLong() ? examined : examined + more, isOnceMore);
        }

        public Sweep onceMore() {
            return new Sweep(tenant, from, examined, true);
        }
    }

    /** A sweep without its tenant, which is in its key. */
    private record Stored(Bytes from, int examined, boolean isOnceMore) {}

    private static final Codec<Stored> SWEEP = Codec.of("sweep", 2, Stored.class);

    private final KeyValueStore<Bytes, byte[]> store;

    /** @param partitionState the store that contains the sweeps */
    public Sweeps(KeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /** The sweep of a tenant; null if none is in progress. */
    public @Nullable Sweep find(TenantId tenant) {
        byte[] bytes = store.get(StoreKeys.sweepOf(tenant, false));
        if (bytes == null) {
            bytes = store.get(StoreKeys.sweepOf(tenant, true));
        }
        return bytes == null ? null : read(tenant, bytes);
    }

    private static Sweep read(TenantId tenant, byte[] bytes) {
        Stored stored = SWEEP.decode(bytes);
        return new Sweep(tenant, stored.from, stored.examined, stored.isOnceMore);
    }

    /** Begins a sweep of a tenant that has none in progress. */
    public void begin(TenantId tenant) {
        put(Sweep.begin(tenant, 0));
    }

    /** Stores a sweep that is as long as before. */
    public void put(Sweep sweep) {
        SWEEP.put(
                store,
                StoreKeys.sweepOf(sweep.tenant(), sweep.isLong()),
                new Stored(sweep.from(), sweep.examined(), sweep.isOnceMore()));
    }

    /** Stores what a turn has changed. @param after null: it has reached the last user */
    public void replace(Sweep before, @Nullable Sweep after) {
        Sweep next = after == null && before.isOnceMore() ? Sweep.begin(before.tenant(), before.examined()) : after;
        if (next == null || next.isLong() != before.isLong()) {
            store.delete(StoreKeys.sweepOf(before.tenant(), before.isLong()));
        }
        if (next != null) {
            put(next);
        }
    }

    /** Whether any sweep is in progress. */
    public boolean areAny() {
        return areAny(false) || areAny(true);
    }

    public boolean areAny(boolean areLong) {
        return StoreScans.firstKey(store, prefix(areLong)) != null;
    }

    /** Begins the keys of the sweeps of a queue. */
    private static byte[] prefix(boolean areLong) {
        return StoreKeys.sweepOf(TenantId.NONE, areLong).get();
    }

    /** Ends the turns of a tick. Where no sweep is left, nothing is stored, as before the first one. @return whether any is left */
    public boolean endTurns() {
        boolean areAny = false;
        for (boolean areLong : new boolean[] {false, true}) {
            if (areAny(areLong)) {
                areAny = true;
            } else if (store.get(StoreKeys.sweepTurn(areLong)) != null) {
                store.delete(StoreKeys.sweepTurn(areLong));
            }
        }
        return areAny;
    }

    /** The sweeps of a queue whose turn is next, at most {@code limit}, each once. */
    public List<Sweep> next(boolean areLong, int limit) {
        byte[] served = store.get(StoreKeys.sweepTurn(areLong));
        Bytes last = served == null ? null : StoreKeys.sweepOf(new TenantId(new String(served, UTF_8)), areLong);
        var next = new ArrayList<>(StoreScans.next(store, prefix(areLong), last, limit, Sweeps::read));
        if (next.size() < limit && last != null) {
            // Those up to the last one, which is a key itself: the range includes its end.
            next.addAll(StoreScans.read(store, Bytes.wrap(prefix(areLong)), last, limit - next.size(), Sweeps::read));
        }
        return next;
    }

    private static Sweep read(KeyValue<Bytes, byte[]> entry) {
        return read(StoreKeys.tenantOf(entry.key), entry.value);
    }

    /** Ends the turn of a tenant. */
    public void served(TenantId tenant, boolean isLong) {
        store.put(StoreKeys.sweepTurn(isLong), tenant.bytes());
    }
}
