package dev.laurel.processors.stream;

import dev.laurel.processors.store.StoreOfPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the stores of an application are restored from their changelogs. Thread-safe. */
public final class RestoreProgress implements StateRestoreListener {

    private final Map<StoreOfPartition, UnderWay> underWay = new ConcurrentHashMap<>();
    private final LongAdder restored = new LongAdder();

    /** @param end offset behind the last record; @param sinceNs {@link System#nanoTime} of the beginning */
    private record UnderWay(long remaining, long end, long sinceNs) {}

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        underWay.put(new StoreOfPartition(store, changelog.partition()),
                new UnderWay(Math.max(0, end - start), end, System.nanoTime()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
        restored.add(records);
        underWay.computeIfPresent(new StoreOfPartition(store, changelog.partition()),
                (_, at) -> new UnderWay(Math.max(0, at.end - last - 1), at.end, at.sinceNs));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
        underWay.remove(new StoreOfPartition(store, changelog.partition()));
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
        onRestoreEnd(changelog, store, records);
    }

    /** The stores that are being restored now, with the records they still lack, give or take the marks of transactions. */
    public Map<StoreOfPartition, Long> remaining() {
        var remaining = new HashMap<StoreOfPartition, Long>();
        underWay.forEach((store, at) -> remaining.put(store, at.remaining));
        return remaining;
    }

    /** Seconds since the oldest restoration that is under way began; 0 if none is. */
    public double oldestS() {
        long nowNs = System.nanoTime();
        return underWay.values().stream().mapToLong(at -> nowNs - at.sinceNs).max().orElse(0) / 1e9;
    }

    /** Records that were restored since the start of the process. */
    public long restored() {
        return restored.sum();
    }
}
