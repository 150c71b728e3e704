package dev.laurel.processors.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the stores of an application are restored from their changelogs. Thread-safe. */
public final class RestoreProgress implements StateRestoreListener {

    private final Map<Place, UnderWay> underWay = new ConcurrentHashMap<>();
    private final LongAdder restored = new LongAdder();

    /** A store of a partition. */
    private record Place(String store, int partition) {}

    /** @param end offset behind the last record; @param sinceNs {@link System#nanoTime} of the beginning */
    private record UnderWay(long remaining, long end, long sinceNs) {}

    /** A store that is being restored. @param records that it still lacks, give or take the marks of transactions */
    public record Remaining(String store, int partition, long records) {}

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        underWay.put(new Place(store, changelog.partition()),
                new UnderWay(Math.max(0, end - start), end, System.nanoTime()));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
        restored.add(records);
        underWay.computeIfPresent(new Place(store, changelog.partition()),
                (_, at) -> new UnderWay(Math.max(0, at.end - last - 1), at.end, at.sinceNs));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
        underWay.remove(new Place(store, changelog.partition()));
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
        onRestoreEnd(changelog, store, records);
    }

    /** What is being restored now. */
    public List<Remaining> remaining() {
        var remaining = new ArrayList<Remaining>();
        underWay.forEach((place, at) -> remaining.add(new Remaining(place.store, place.partition, at.remaining)));
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
