package dev.laurel.processors.store;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Who is to be looked at when, in due order: an index for ticks, at most one entry per user. What is due is decided by the
 * core from the user's state alone. One thread.
 */
public final class Timers {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /**
     * Scans start here: nothing is due before it. Keys that were deleted below it still lie in RocksDB as tombstones, and
     * a scan from the beginning would step over all of them each time.
     */
    private long firstDueMs = Long.MIN_VALUE;

    /** @param user the user key's bytes */
    public record Timer(long dueMs, byte[] user) {}

    public Timers(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Moves a user's entry. 0 stands for none. */
    public void move(byte[] user, long fromMs, long toMs) {
        if (fromMs == toMs) {
            return;
        }
        if (fromMs != 0) {
            store.delete(StoreKeys.timer(fromMs, user));
        }
        if (toMs != 0) {
            store.put(StoreKeys.timer(toMs, user), PRESENT);
            firstDueMs = Math.min(firstDueMs, toMs);
        }
    }

    /** The first entries due by {@code nowMs}, at most {@code limit}. */
    public List<Timer> due(long nowMs, int limit) {
        var due = new ArrayList<Timer>();
        if (firstDueMs > nowMs) {
            return due;
        }
        Bytes from = firstDueMs == Long.MIN_VALUE ? null : StoreKeys.timersAfter(firstDueMs - 1);
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, StoreKeys.timersAfter(nowMs))) {
            while (entries.hasNext() && due.size() < limit) {
                Bytes key = entries.next().key;
                due.add(new Timer(StoreKeys.dueMsOf(key), StoreKeys.userOf(key)));
            }
        }
        firstDueMs = due.isEmpty() ? nowMs + 1 : due.getFirst().dueMs();
        return due;
    }
}
