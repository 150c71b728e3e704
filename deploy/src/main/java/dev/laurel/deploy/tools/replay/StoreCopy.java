package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.store.RocksEntries;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * Copies of many stores and partitions in one RocksDB in its own folder. They need as much disk as the originals and
 * a bounded amount of memory, and need not survive a crash. Keys are prefixed with the number of the store and the
 * partition, so each store is contiguous and keeps its order. Used by one thread at a time.
 */
final class StoreCopy implements AutoCloseable {

    private static final long CACHE_BYTES = 64L * 1024 * 1024;
    private static final long WRITE_BUFFER_BYTES = 16L * 1024 * 1024;
    private static final int PREFIX = 1 + 4;

    static {
        RocksDB.loadLibrary();
    }

    private final List<String> names;
    private final LRUCache cache = new LRUCache(CACHE_BYTES);
    private final BloomFilter filter = new BloomFilter(10, false);
    private final Options options;
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final RocksDB db;

    /** @param names names of the stores, at most 127 */
    StoreCopy(Path folder, List<String> names) {
        this.names = List.copyOf(names);
        var table = new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter)
                .setCacheIndexAndFilterBlocks(true);
        this.options = new Options().setCreateIfMissing(true).setErrorIfExists(true).setTableFormatConfig(table)
                .setWriteBufferSize(WRITE_BUFFER_BYTES).setCompressionType(CompressionType.LZ4_COMPRESSION);
        try {
            this.db = RocksDB.open(options, folder.toString());
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    /** @param value null: delete the entry */
    void put(String store, int partition, byte[] key, byte @Nullable [] value) {
        byte[] prefixed = join(prefix(store, partition), key);
        try {
            if (value == null) {
                db.delete(unlogged, prefixed);
            } else {
                db.put(unlogged, prefixed, value);
            }
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    ReadOnlyKeyValueStore<Bytes, byte[]> store(String store, int partition) {
        return new PartitionStore(prefix(store, partition));
    }

    private byte[] prefix(String store, int partition) {
        int number = names.indexOf(store);
        if (number < 0) {
            throw new IllegalArgumentException("the store " + store + " is not copied");
        }
        return ByteBuffer.allocate(PREFIX).put((byte) number).putInt(partition).array();
    }

    private static byte[] join(byte[] prefix, byte[] key) {
        byte[] joined = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, joined, prefix.length, key.length);
        return joined;
    }

    private static IllegalStateException failed(RocksDBException e) {
        return new IllegalStateException("cannot keep a copy of the live state: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        db.close();
        unlogged.close();
        options.close();
        filter.close();
        cache.close();
    }

    /** A store of one partition. */
    private final class PartitionStore implements ReadOnlyKeyValueStore<Bytes, byte[]> {

        private final byte[] prefix;

        PartitionStore(byte[] prefix) {
            this.prefix = prefix;
        }

        @Override
        public byte @Nullable [] get(Bytes key) {
            try {
                return db.get(join(prefix, key.get()));
            } catch (RocksDBException e) {
                throw failed(e);
            }
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
            return range(from, to, false);
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
            return range(from, to, true);
        }

        /** Both bounds are inclusive, as in Kafka Streams; null: no bound. */
        private KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean backwards) {
            byte[] first = from == null ? prefix : join(prefix, from.get());
            byte[] after = to == null ? after(prefix) : join(join(prefix, to.get()), new byte[1]);
            return entries(first, after, backwards);
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            return entries(prefix, after(prefix), false);
        }

        @Override
        public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P start, S serializer) {
            byte[] first = join(prefix, serializer.serialize(null, start));
            return entries(first, after(first), false);
        }

        @Override
        public long approximateNumEntries() {
            throw new UnsupportedOperationException("a copy does not count its entries");
        }
    }

    private KeyValueIterator<Bytes, byte[]> entries(byte[] first, byte[] after, boolean backwards) {
        return new RocksEntries(db, new ReadOptions(), new RocksEntries.Range(PREFIX, first, after, backwards),
                StoreCopy::failed);
    }

    /** Returns the lowest key above all keys with this prefix. Prefixes begin with a small number, so there is one. */
    private static byte[] after(byte[] prefix) {
        byte[] next = prefix.clone();
        int last = next.length - 1;
        while (++next[last] == 0) {
            last--;
        }
        return next;
    }
}
