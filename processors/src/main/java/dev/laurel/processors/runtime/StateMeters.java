package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a Streams application tells of its stores: how large they are, what is restored of them. Read on the thread that scrapes. */
final class StateMeters {

    private static final MeterName RESTORE_REMAINING = MeterName.of("laurel.streams.restore.remaining",
            "Records that a store of a partition still has to restore; 0 unless it is being restored.");
    private static final MeterName RESTORE_AGE = MeterName.ofSeconds("laurel.streams.restore.age",
            "Time since the oldest restoration in progress began; 0 if there is none.");
    private static final MeterName RESTORED = MeterName.of("laurel.streams.restored",
            "Records that were restored into stores since the start of the process.");
    private static final MeterName STATE_SIZE = MeterName.ofBytes("laurel.state.size",
            "Size of a store on disk, all partitions together.");
    private static final MeterName DISK_FREE = MeterName.ofBytes("laurel.state.disk.free",
            "Free space of the file system that the stores are on.");
    private static final MeterName DISK_SIZE = MeterName.ofBytes("laurel.state.disk.size",
            "Size of the file system that the stores are on.");

    private final Tags tags;
    private final RestoreProgress restores;
    private final StateSizes sizes;

    /** The stores that are here, as last seen. */
    private volatile Map<StoreOfPartition, Long> bytes = Map.of();

    private StateMeters(Tags tags, RestoreProgress restores, StateSizes sizes) {
        this.tags = tags;
        this.restores = restores;
        this.sizes = sizes;
    }

    static void register(MeterScope meters, Tags tags, RestoreProgress restores, StateSizes sizes) {
        var of = new StateMeters(tags, restores, sizes);
        meters.gauge(RESTORE_AGE, tags, restores::oldestS);
        meters.counter(RESTORED, tags, restores::restored);
        meters.gauges(STATE_SIZE, of::sizes);
        meters.gauges(RESTORE_REMAINING, of::remaining);
        meters.gauge(DISK_FREE, tags, sizes::freeBytes);
        meters.gauge(DISK_SIZE, tags, sizes::diskBytes);
    }

    private List<Line> sizes() {
        bytes = sizes.look();
        var byStore = new TreeMap<String, Long>();
        bytes.forEach((place, size) -> byStore.merge(place.store(), size, Long::sum));
        return byStore.entrySet().stream().map(store -> new Line(tags.and("store", store.getKey()), store.getValue()))
                .toList();
    }

    /** A line for each store that is here, so that one that is restored is seen to come down to 0. */
    private List<Line> remaining() {
        Map<StoreOfPartition, Long> underWay = restores.remaining();
        var all = new HashSet<>(bytes.keySet());
        all.addAll(underWay.keySet());
        return all.stream().map(
                at -> new Line(tags.and("store", at.store(), "partition", Integer.toString(at.partition())),
                        underWay.getOrDefault(at, 0L)))
                .toList();
    }
}
