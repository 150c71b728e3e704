package dev.laurel.processors.ledger;

import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * An index of users by the time at which they are due, for ticks, with at most one entry per user. The core decides from the
 * user's state alone what is due. One thread.
 */
final class Timers {

    private final KeyValueStore<Bytes, byte[]> store;
    private final PartitionState partition;

    /**
     * The key at which scans start, because no key is below it; null: unknown. RocksDB keeps deleted keys as tombstones: a scan from
     * the beginning would step over all of them each time, and a scan from the due time over the users of the same midnight that
     * are done.
     */
    private @Nullable Bytes first;

    /** The start of scans as last stored, for the first scan after a restart; never above {@link #first}. */
    private @Nullable Bytes floor;

    /** @param user the user key's bytes */
    record Timer(long dueMs, byte[] user) {

        private Bytes key() {
            return StoreKeys.timer(dueMs, user);
        }
    }

    /** @param partition stores where scans start */
    Timers(KeyValueStore<Bytes, byte[]> store, PartitionState partition) {
        this.store = store;
        this.partition = partition;
        this.floor = partition.timersFloor();
        this.first = floor;
    }

    /** Moves the entry of a user. A time of 0 means no entry. */
    void move(byte[] user, long fromMs, long toMs) {
        if (fromMs == toMs) {
            return;
        }
        if (fromMs != 0) {
            store.delete(StoreKeys.timer(fromMs, user));
        }
        if (toMs != 0) {
            Bytes key = StoreKeys.timer(toMs, user);
            store.put(key, StoreKeys.PRESENT);
            if (isBefore(key, first)) {
                first = key;
            }
            if (isBefore(key, floor)) {
                putFloor(key);
            }
        }
    }

    private static boolean isBefore(Bytes key, @Nullable Bytes start) {
        return start != null && key.compareTo(start) < 0;
    }

    /** Whether any entry is due by {@code nowMs}. */
    boolean isDue(long nowMs) {
        return !due(nowMs, 1).isEmpty();
    }

    /** The first entries due by {@code nowMs}, at most {@code limit}. */
    List<Timer> due(long nowMs, int limit) {
        Bytes end = StoreKeys.timersAfter(nowMs);
        if (first != null && first.compareTo(end) >= 0) {
            return List.of();
        }
        List<Timer> due = StoreScans.read(
                store.range(first, end),
                limit,
                entry -> new Timer(StoreKeys.dueMsOf(entry.key), StoreKeys.userOf(entry.key)));
        first = due.isEmpty() ? end : due.getFirst().key();
        return due;
    }

    /**
     * Stores where scans start, when a tick has done its work. Only ticks store it, and only from what is left at their time, so
     * that what is stored follows from the log.
     */
    void passed(long tickMs) {
        List<Timer> left = due(tickMs, 1);
        Bytes start =
                left.isEmpty() ? StoreKeys.timersAfter(tickMs) : left.getFirst().key();
        if (floor == null || start.compareTo(floor) > 0) {
            putFloor(start);
        }
    }

    private void putFloor(Bytes key) {
        floor = key;
        partition.putTimersFloor(key);
    }
}
