package dev.laurel.processors.runtime;

import dev.laurel.processors.runtime.StateMeters.StoreOfPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** The records that the stores of an application still lack while they are restored; standby copies do not count. Thread-safe. */
final class RestoreProgress implements StateRestoreListener {

    private final Map<TopicPartition, Restoration> restorations = new ConcurrentHashMap<>();
    private final LongAdder restored = new LongAdder();

    /** Offsets, which markers of transactions occupy as well. @param sinceNs {@link System#nanoTime} of the beginning */
    private record Restoration(String store, long reached, long end, long sinceNs) {

        long left() {
            return Math.max(0, end - reached);
        }
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        restorations.put(changelog, new Restoration(store, start, end, System.nanoTime()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        restorations.computeIfPresent(
                changelog,
                (_, former) -> new Restoration(
                        store, Math.max(former.reached(), batchEnd + 1), former.end(), former.sinceNs()));
        restored.add(count);
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long total) {
        restorations.remove(changelog);
    }

    /** The task has moved to another process. */
    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        restorations.remove(changelog);
    }

    /** Records that the store furthest behind still lacks; 0 if none is being restored. */
    long left() {
        return restorations.values().stream().mapToLong(Restoration::left).max().orElse(0);
    }

    /** The stores that are being restored, with the records that each still lacks. */
    Map<StoreOfPartition, Long> remaining() {
        var remaining = new HashMap<StoreOfPartition, Long>();
        restorations.forEach((changelog, restoration) ->
                remaining.put(new StoreOfPartition(restoration.store(), changelog.partition()), restoration.left()));
        return remaining;
    }

    /** Seconds since the oldest restoration in progress began; 0 if there is none. */
    double oldestS() {
        long nowNs = System.nanoTime();
        return restorations.values().stream()
                        .mapToLong(restoration -> nowNs - restoration.sinceNs())
                        .max()
                        .orElse(0)
                / 1e9;
    }

    /** Records restored since the start. */
    long restored() {
        return restored.sum();
    }
}
