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
    private final PartitionState partition;

    /**
     * Scans start at this key: there is none before it; null if that is not known. Keys that were deleted below it still lie
     * in RocksDB as tombstones, and a scan from the beginning would step over all of them each time; one from the moment
     * that is due, over all users of the same midnight who have had their turn.
     */
    private Bytes first;

    /** The same as last stored, for the first scan after a restart: never above {@link #first}. */
    private Bytes floor;

    /** @param user the user key's bytes */
    public record Timer(long dueMs, byte[] user) {

        private Bytes key() {
            return StoreKeys.timer(dueMs, user);
        }
    }

    /** @param partition remembers where scans start */
    public Timers(KeyValueStore<Bytes, byte[]> store, PartitionState partition) {
        this.store = store;
        this.partition = partition;
        this.floor = partition.timersFloor();
        this.first = floor;
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
            Bytes key = StoreKeys.timer(toMs, user);
            store.put(key, PRESENT);
            if (isBefore(key, first)) {
                first = key;
            }
            if (isBefore(key, floor)) {
                putFloor(key);
            }
        }
    }

    private static boolean isBefore(Bytes key, Bytes start) {
        return start != null && key.compareTo(start) < 0;
    }

    /** Whether any entry is due by {@code nowMs}. */
    public boolean isDue(long nowMs) {
        return !due(nowMs, 1).isEmpty();
    }

    /** The first entries due by {@code nowMs}, at most {@code limit}. */
    public List<Timer> due(long nowMs, int limit) {
        var due = new ArrayList<Timer>();
        Bytes end = StoreKeys.timersAfter(nowMs);
        if (first != null && first.compareTo(end) >= 0) {
            return due;
        }
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(first, end)) {
            while (entries.hasNext() && due.size() < limit) {
                Bytes key = entries.next().key;
                due.add(new Timer(StoreKeys.dueMsOf(key), StoreKeys.userOf(key)));
            }
        }
        first = due.isEmpty() ? end : due.getFirst().key();
        return due;
    }

    /**
     * A tick has done its work: stores where scans start. Only a tick does, and only from what is left at its time, so that
     * what is stored follows from the log.
     */
    public void passed(long tickMs) {
        List<Timer> left = due(tickMs, 1);
        Bytes start = left.isEmpty() ? StoreKeys.timersAfter(tickMs) : left.getFirst().key();
        if (floor == null || start.compareTo(floor) > 0) {
            putFloor(start);
        }
    }

    private void putFloor(Bytes key) {
        floor = key;
        partition.putTimersFloor(key);
    }
}
