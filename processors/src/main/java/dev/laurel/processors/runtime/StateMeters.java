package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Meters of the stores of a Streams application: their sizes, and the progress of restoring them. Read on the thread that scrapes. */
final class StateMeters {

    private static final MeterName RESTORE_REMAINING = MeterName.of("laurel.streams.restore.remaining",
            "Records that remain to be restored into a store of a partition; 0 unless it is being restored.");
    private static final MeterName RESTORE_AGE = MeterName.ofSeconds("laurel.streams.restore.age",
            "Time since the oldest restoration in progress began; 0 if none is in progress.");
    private static final MeterName RESTORED = MeterName.of("laurel.streams.restored",
            "Records restored into stores since the start of the process.");
    private static final MeterName STATE_SIZE = MeterName.ofBytes("laurel.state.size",
            "Size of a store on disk, summed over its partitions.");
    private static final MeterName DISK_FREE = MeterName.ofBytes("laurel.state.disk.free",
            "Free space of the file system of the stores.");
    private static final MeterName DISK_SIZE = MeterName.ofBytes("laurel.state.disk.size",
            "Size of the file system of the stores.");

    private final Tags tags;
    private final RestoreProgress restores;
    private final StateSizes sizes;

    /** A store of one partition. */
    record StoreOfPartition(String store, int partition) {}

    /** The sizes of the stores in this process at the last reading. */
    private volatile Map<StoreOfPartition, Long> bytes = Map.of();

    private StateMeters(Tags tags, RestoreProgress restores, StateSizes sizes) {
        this.tags = tags;
        this.restores = restores;
        this.sizes = sizes;
    }

    static void register(MeterScope meters, Tags tags, RestoreProgress restores, StateSizes sizes) {
        var stateMeters = new StateMeters(tags, restores, sizes);
        meters.gauge(RESTORE_AGE, tags, restores::oldestS);
        meters.counter(RESTORED, tags, restores::restored);
        meters.gauges(STATE_SIZE, stateMeters::sizes);
        meters.gauges(RESTORE_REMAINING, stateMeters::remaining);
        meters.gauge(DISK_FREE, tags, sizes::freeBytes);
        meters.gauge(DISK_SIZE, tags, sizes::diskBytes);
    }

    private List<Line> sizes() {
        bytes = sizes.read();
        var byStore = new TreeMap<String, Long>();
        bytes.forEach((key, size) -> byStore.merge(key.store(), size, Long::sum));
        return byStore.entrySet().stream().map(store -> new Line(tags.and("store", store.getKey()), store.getValue()))
                .toList();
    }

    /** A line for each store in this process, so that the value of a store that has been restored falls to 0. */
    private List<Line> remaining() {
        Map<StoreOfPartition, Long> remaining = restores.remaining();
        return Stream.concat(bytes.keySet().stream(), remaining.keySet().stream()).distinct()
                .map(key -> new Line(tags.and("store", key.store(), "partition", Integer.toString(key.partition())),
                        remaining.getOrDefault(key, 0L)))
                .toList();
    }
}
