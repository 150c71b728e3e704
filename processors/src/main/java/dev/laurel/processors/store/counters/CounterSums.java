package dev.laurel.processors.store.counters;

import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.store.PrefixedStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The sums of the counters of all partitions, in a RocksDB of their own. It keeps each partition's last blocks beside the sums, because a
 * newer block replaces what the older one added, and the position up to which all are added. Nothing is logged ahead: what a
 * killed process had not flushed is added again, from the position that belongs to it. One thread writes; any thread reads.
 *
 * <pre>
 * 0 …                 the position, see {@link Position#entries}
 * 1 partition key     a partition's last value of a key of {@link CounterKeys}
 * 2 key               the sum of all partitions
 * </pre>
 */
public final class CounterSums implements AutoCloseable {

    private static final byte PART = 1;
    private static final byte[] SUMS = {2};

    static {
        RocksDB.loadLibrary();
    }

    private final Path folder;
    private final Options options;
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);

    /** Read-locked while a reader is open, so that the database outlives it. */
    private final ReentrantReadWriteLock readers = new ReentrantReadWriteLock();

    private RocksDB db;
    private boolean isClosed;

    /** The values that are added with the next write: of each key only the last one. */
    private final Map<Part, byte @Nullable []> values = new HashMap<>();

    private record Part(int partition, Bytes key) {}

    /** As it was written last. */
    private Position written = Position.NOTHING;

    /**
     * Opens the sums, which are empty if the folder does not exist.
     *
     * @param configs Streams settings, for the memory that all stores share
     */
    public CounterSums(Path folder, Map<String, Object> configs) {
        this.folder = folder;
        options = new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(new BlockBasedTableConfig())
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
        new BoundedRocksDb().setConfig(StoreNames.COUNTERS, options, configs);
        try {
            Files.createDirectories(folder);
            db = RocksDB.open(options, folder.toString());
        } catch (RocksDBException | IOException e) {
            options.close();
            unlogged.close();
            throw failed(e);
        }
    }

    private static IllegalStateException failed(Exception e) {
        return new IllegalStateException("the sums of counters cannot be read or written: " + e.getMessage(), e);
    }

    /** The position up to which a topic is added; null if there is none. */
    public @Nullable Position position(String topic) {
        Position found = Position.read(topic, this::get);
        written = found == null ? Position.NOTHING : found;
        return found;
    }

    /** Empties the sums. Waits for readers. */
    public void clear() {
        readers.writeLock().lock();
        try {
            db.close();
            RocksDB.destroyDB(folder.toString(), options);
            db = RocksDB.open(options, folder.toString());
            written = Position.NOTHING;
            values.clear();
        } catch (RocksDBException e) {
            throw failed(e);
        } finally {
            readers.writeLock().unlock();
        }
    }

    private byte @Nullable [] get(byte[] key) {
        try {
            return db.get(key);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    private static byte[] partOf(int partition) {
        return ByteBuffer.allocate(1 + 4).put(PART).putInt(partition).array();
    }

    private static byte[] sumKey(Bytes key) {
        return PrefixedStore.join(SUMS, key.get());
    }

    /**
     * Adds the last value of a key of a partition with the next {@link #write}. For the thread that writes.
     *
     * @param value null: all counters of the block are 0
     */
    public void add(int partition, byte[] key, byte @Nullable [] value) {
        values.put(new Part(partition, Bytes.wrap(key)), value);
    }

    /**
     * Writes the sums with what was added since the last call. A reader sees all of it or none.
     *
     * @param position after that; null: it is not kept
     */
    public void write(@Nullable Position position) {
        var sums = new HashMap<Bytes, CounterBlock>();
        var lists = new HashMap<Bytes, Set<String>>();
        try (var batch = new WriteBatch()) {
            for (var entry : values.entrySet()) {
                Bytes key = entry.getKey().key;
                byte[] value = entry.getValue();
                if (CounterKeys.isBlock(key)) {
                    replace(entry.getKey(), value, sums.computeIfAbsent(key, this::sum), batch);
                } else if (value != null) {
                    lists.computeIfAbsent(key, this::list).addAll(CounterCodecs.VALUES.decode(value));
                }
            }
            for (var sum : sums.entrySet()) {
                if (sum.getValue().isZero()) {
                    batch.delete(sumKey(sum.getKey()));
                } else {
                    batch.put(sumKey(sum.getKey()), CounterCodecs.BLOCK.encode(sum.getValue()));
                }
            }
            for (var list : lists.entrySet()) {
                batch.put(sumKey(list.getKey()), CounterCodecs.VALUES.encode(List.copyOf(list.getValue())));
            }
            if (position != null) {
                for (var entry : position.entries(written).entrySet()) {
                    batch.put(entry.getKey(), entry.getValue());
                }
                written = position;
            }
            db.write(unlogged, batch);
        } catch (RocksDBException e) {
            throw failed(e);
        }
        values.clear();
    }

    private void replace(Part part, byte @Nullable [] value, CounterBlock sum, WriteBatch batch)
            throws RocksDBException {
        byte[] place = PrefixedStore.join(partOf(part.partition), part.key.get());
        CounterBlock before = CounterCodecs.BLOCK.decodeIfPresent(db.get(place));
        if (before != null) {
            sum.add(before, -1);
        }
        if (value == null) {
            batch.delete(place);
        } else {
            sum.add(CounterCodecs.BLOCK.decode(value), 1);
            batch.put(place, value);
        }
    }

    private CounterBlock sum(Bytes key) {
        CounterBlock sum = CounterCodecs.BLOCK.decodeIfPresent(get(sumKey(key)));
        return sum == null ? CounterBlock.of(CounterKeys.counterOf(key)) : sum;
    }

    /** The values of an attribute that any partition counts on their own. They are never taken back. */
    private Set<String> list(Bytes key) {
        List<String> known = CounterCodecs.VALUES.decodeIfPresent(get(sumKey(key)));
        return new TreeSet<>(known == null ? List.of() : known);
    }

    /** Reads the sums as of now until it is closed, by the thread that calls this; null once these sums are closed. */
    public @Nullable AccountCounters read() {
        readers.readLock().lock();
        if (isClosed) {
            readers.readLock().unlock();
            return null;
        }
        Snapshot snapshot = db.getSnapshot();
        return new AccountCounters(store(snapshot, SUMS), partition -> store(snapshot, partOf(partition)), () -> {
            db.releaseSnapshot(snapshot);
            readers.readLock().unlock();
        });
    }

    private PrefixedStore store(Snapshot snapshot, byte[] prefix) {
        return new PrefixedStore(db, prefix, snapshot, CounterSums::failed);
    }

    /** Waits for readers. */
    @Override
    public void close() {
        readers.writeLock().lock();
        try {
            if (!isClosed) {
                isClosed = true;
                db.close(); // Flushes, because nothing was logged ahead.
                unlogged.close();
                options.close();
            }
        } finally {
            readers.writeLock().unlock();
        }
    }
}
