package dev.laurel.processors.ledger;

import dev.laurel.processors.core.statistics.StatisticsIndex;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The statistics of all users of each partition here, for reads concurrent to the tasks that update them. Thread-safe. */
public final class StatisticsViews {

    private final Map<Integer, StatisticsIndex> partitions = new ConcurrentHashMap<>();

    /** The complete index of a partition of the log; null while it is being built, and where the partition is not here. */
    public @Nullable StatisticsIndex find(int partition) {
        return partitions.get(partition);
    }

    void show(int partition, StatisticsIndex index) {
        partitions.put(partition, index);
    }

    void drop(int partition) {
        partitions.remove(partition);
    }
}
