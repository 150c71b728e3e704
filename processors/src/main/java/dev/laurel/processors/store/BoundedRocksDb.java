package dev.laurel.processors.store;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Bounds the memory of RocksDB: all stores of the process share one block cache, which also accounts for their write buffers,
 * indexes and filters. Without it, each store of each partition would have a cache of its own.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {

    /** Streams setting: bytes for everything that RocksDB keeps in memory; the same for all applications of a process. */
    public static final String MEMORY_BYTES = "laurel.rocksdb.memory.bytes";

    public static final long DEFAULT_MEMORY_BYTES = 512L * 1024 * 1024;
    private static final double SHARE_OF_WRITE_BUFFERS = 0.5;
    private static final double SHARE_OF_INDEXES = 0.1;

    /** Of a write buffer, for its Bloom filter. */
    private static final double SHARE_OF_FILTERS = 0.05;

    /**
     * The store of users takes a write of half a kilobyte per event, and every flushed buffer is merged with the files on disk
     * repeatedly: a buffer four times as large halves the merging. The other stores take few writes.
     */
    private static final long USERS_BUFFER_BYTES = 32L * 1024 * 1024;

    private static final long WRITE_BUFFER_BYTES = 8L * 1024 * 1024;

    private static final MeterName LIMIT = MeterName.ofBytes(
            "laurel.rocksdb.memory.limit",
            "Maximum memory of all stores of the process for blocks, indexes, filters and write buffers together.");
    private static final MeterName USED = MeterName.ofBytes(
            "laurel.rocksdb.memory.used",
            "The memory in use; it contains a cache, so it grows to the limit and stays there.");
    private static final MeterName PINNED = MeterName.ofBytes(
            "laurel.rocksdb.memory.pinned", "The part of it that cannot be freed: write buffers, and blocks in use.");

    /** Created with the first store, and never replaced. */
    private static volatile @Nullable Shared shared;

    private record Shared(long bytes, Cache cache, WriteBufferManager writeBuffers) {}

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        Shared memory = sharedOf(configs);
        var table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(memory.cache());
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        table.setPinTopLevelIndexAndFilter(true);
        table.setIndexType(IndexType.kTwoLevelIndexSearch);
        table.setPartitionFilters(true);
        table.setFilterPolicy(new BloomFilter(10, false));
        options.setTableFormatConfig(table);
        if (storeName.equals(StoreNames.IDEMPOTENCY_KEYS)) {
            // The only keys that are looked up for each event and usually are not there.
            options.setMemtablePrefixBloomSizeRatio(SHARE_OF_FILTERS);
            options.setMemtableWholeKeyFiltering(true);
            // Kafka Streams' value leaves the largest files without filters, and a key that is not there would be
            // searched in them.
            options.setOptimizeFiltersForHits(false);
        }
        // Each file says how it is compressed, so a store that was written without stays readable, and shrinks as its
        // files are merged.
        // ZSTD would save another fifth of the users, and double the time of a read that is not in the cache
        // (docs/performance.md).
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
        options.setWriteBufferManager(memory.writeBuffers());
        options.setWriteBufferSize(storeName.equals(StoreNames.USERS) ? USERS_BUFFER_BYTES : WRITE_BUFFER_BYTES);
    }

    /** @throws ConfigException if the stores of the process already share another size, which the first store has set */
    private static Shared sharedOf(Map<String, Object> configs) {
        Object setting = configs.get(MEMORY_BYTES);
        long bytes = setting == null ? DEFAULT_MEMORY_BYTES : Long.parseLong(setting.toString());
        Shared existing = shared == null ? share(bytes) : shared;
        if (existing.bytes() != bytes) {
            throw new ConfigException(
                    MEMORY_BYTES, bytes, "must be " + existing.bytes() + ", as for the other stores of this process");
        }
        return existing;
    }

    private static synchronized Shared share(long bytes) {
        if (shared == null) {
            var cache = new LRUCache(bytes, -1, false, SHARE_OF_INDEXES);
            shared = new Shared(bytes, cache, new WriteBufferManager((long) (bytes * SHARE_OF_WRITE_BUFFERS), cache));
        }
        return shared;
    }

    /** Shows the memory that all stores of the process share. Called once for the process. */
    public static void register(MeterScope meters) {
        meters.gauge(LIMIT, Tags.empty(), () -> shared == null ? 0 : shared.bytes());
        meters.gauge(USED, Tags.empty(), BoundedRocksDb::usedBytes);
        meters.gauge(
                PINNED, Tags.empty(), () -> shared == null ? 0 : shared.cache().getPinnedUsage());
    }

    /** Bytes of the cache, with write buffers; they grow up to the limit and stay there. 0 before a store is opened. Thread-safe. */
    public static long usedBytes() {
        return shared == null ? 0 : shared.cache().getUsage();
    }

    /** Closes nothing: the shared cache exists as long as the process. */
    @Override
    public void close(String storeName, Options options) {}
}
