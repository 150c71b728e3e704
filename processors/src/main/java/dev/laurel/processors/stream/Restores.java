package dev.laurel.processors.stream;

import dev.laurel.processors.store.StoreOfPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * What the stores of an application still lack while they are read back from their changelogs, in records. Copies that stand
 * by are not counted. Thread-safe.
 */
public final class Restores implements StateRestoreListener {

    private final Map<TopicPartition, Way> ways = new ConcurrentHashMap<>();
    private final LongAdder restored = new LongAdder();

    /** Offsets, which marks of transactions hold, too. @param sinceNs {@link System#nanoTime} of the beginning */
    private record Way(String store, long reached, long end, long sinceNs) {

        long left() {
            return Math.max(0, end - reached);
        }
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        ways.put(changelog, new Way(store, start, end, System.nanoTime()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        ways.computeIfPresent(changelog, (_, way) -> new Way(store,
                Math.max(way.reached(), batchEnd + 1), way.end(), way.sinceNs()));
        restored.add(count);
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long total) {
        ways.remove(changelog);
    }

    /** The task has moved on to another process. */
    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        ways.remove(changelog);
    }

    /** How much is left of the store that lacks most; 0 if none is being restored. */
    public long left() {
        return ways.values().stream().mapToLong(Way::left).max().orElse(0);
    }

    /** The stores that are being restored now, with what is left of each. */
    public Map<StoreOfPartition, Long> remaining() {
        var remaining = new HashMap<StoreOfPartition, Long>();
        ways.forEach((changelog, way) -> remaining.put(new StoreOfPartition(way.store(), changelog.partition()),
                way.left()));
        return remaining;
    }

    /** Seconds since the oldest restoration that is under way began; 0 if none is. */
    public double oldestS() {
        long nowNs = System.nanoTime();
        return ways.values().stream().mapToLong(way -> nowNs - way.sinceNs()).max().orElse(0) / 1e9;
    }

    /** Records that were restored since the start. */
    public long restored() {
        return restored.sum();
    }
}
