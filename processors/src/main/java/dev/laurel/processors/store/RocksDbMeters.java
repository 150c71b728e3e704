package dev.laurel.processors.store;

import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;

/** The memory that all stores of a process share; to be registered once for it. */
public final class RocksDbMeters {

    private static final MeterName LIMIT = MeterName.ofBytes("laurel.rocksdb.memory.limit",
            "What all stores of the process may take for blocks, indexes, filters and write buffers together.");
    private static final MeterName USED = MeterName.ofBytes("laurel.rocksdb.memory.used",
            "What they take: a cache, so it grows to the limit and stays there.");
    private static final MeterName PINNED = MeterName.ofBytes("laurel.rocksdb.memory.pinned",
            "The part of it that cannot be given up: write buffers, and blocks in use.");

    private RocksDbMeters() {}

    public static void register(MeterScope meters) {
        meters.gauge(LIMIT, Tags.empty(), () -> BoundedRocksDb.memory().limitBytes());
        meters.gauge(USED, Tags.empty(), () -> BoundedRocksDb.memory().usedBytes());
        meters.gauge(PINNED, Tags.empty(), () -> BoundedRocksDb.memory().pinnedBytes());
    }
}
