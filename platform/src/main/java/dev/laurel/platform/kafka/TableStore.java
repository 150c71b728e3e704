package dev.laurel.platform.kafka;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.platform.kafka.Follower.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a {@link TopicTable} keeps on disk: entries, and how far the topic has been read, in a RocksDB. The thread of the table puts
 * entries into a batch, which is written together with the position, so that a process that is killed finds a state that the table had
 * at some offset. Other threads read what has been written.
 */
final class TableStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TableStore.class);

    /** Of two at most. */
    private static final long WRITE_BUFFER_BYTES = 4L * 1024 * 1024;

    private static final long BLOCK_BYTES = 16L * 1024;
    private static final int MAX_OPEN_FILES = 128;

    /** The file with the reason why the store is deleted at the next start. */
    private static final String DISCARDED = "DISCARDED";

    private final Path path;
    private final Cache cache;
    private final Runnable onClose;
    private final ReadWriteLock closing = new ReentrantReadWriteLock();
    private final Lock using = closing.readLock();
    private final BloomFilter filter = new BloomFilter(10, false);
    private final Options options;
    private final ReadOptions reading = new ReadOptions();

    /** The log of RocksDB is not synced: what is lost if the machine fails is read from the topic again. */
    private final WriteOptions writing = new WriteOptions();

    private final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
    private RocksDB db;
    private Position written = Position.NOTHING;
    private boolean isClosed;

    private TableStore(Path path, Cache cache, Runnable onClose) {
        this.path = path;
        this.cache = cache;
        this.onClose = onClose;
        this.options = options();
        this.db = openDb();
    }

    /**
     * Opens the store in this folder. A damaged one is deleted, so that the table reads its topic from the beginning.
     *
     * @param onClose called after the store is closed
     */
    static TableStore open(Path path, Cache cache, Runnable onClose) {
        Path discarded = path.resolve(DISCARDED);
        if (Files.exists(discarded)) {
            LOG.warn("Deletes the table in {}, and reads its topic again: {}", path, reasonIn(discarded));
            delete(path);
        }
        return new TableStore(path, cache, onClose);
    }

    /** Deletes a folder with its contents, if it exists. */
    static void delete(Path folder) {
        try {
            LocalFiles.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }

    private static String reasonIn(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Options options() {
        var table = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(filter)
                .setCacheIndexAndFilterBlocks(true)
                .setPinTopLevelIndexAndFilter(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true);
        return new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(table)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxOpenFiles(MAX_OPEN_FILES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0);
    }

    private RocksDB openDb() {
        try {
            Files.createDirectories(path);
            return RocksDB.open(options, path.toString());
        } catch (RocksDBException e) {
            LOG.warn(
                    "Deleted the table in {}, which cannot be opened; its topic is read again: {}",
                    path,
                    e.getMessage());
        } catch (IOException e) {
            throw new IllegalStateException("cannot create the folder " + path + " of a table: " + e, e);
        }
        try {
            delete(path);
            Files.createDirectories(path);
            return RocksDB.open(options, path.toString());
        } catch (RocksDBException | IOException e) {
            throw new IllegalStateException("cannot open a table in " + path + ": " + e.getMessage(), e);
        }
    }

    /** Null if nothing has been written. The folder has the name of the topic, so its owner gave it. */
    @Nullable
    Position position() {
        Position found = Position.read(path.getFileName().toString(), this::get);
        written = found == null ? Position.NOTHING : found;
        return found;
    }

    private boolean isEmpty() {
        return Boolean.TRUE.equals(locked(() -> {
            try (RocksIterator entries = db.newIterator(reading)) {
                entries.seekToFirst();
                return !entries.isValid();
            }
        }));
    }

    /** Deletes all entries and the position. Called by the thread of the table, before other threads read. */
    void clear() {
        if (isEmpty()) {
            return;
        }
        closing.writeLock().lock();
        try {
            expectOpen();
            batch.clear();
            written = Position.NOTHING;
            db.close();
            delete(path);
            db = openDb();
        } finally {
            closing.writeLock().unlock();
        }
    }

    /** Returns what has been written; null: nothing. */
    byte @Nullable [] get(byte[] key) {
        return locked(() -> db.get(reading, key));
    }

    /** Returns what has been put, written or not; null: nothing. Called by the thread of the table. */
    byte @Nullable [] getPut(byte[] key) {
        return locked(() -> batch.getFromBatchAndDB(db, reading, key));
    }

    /** @param value null: deletes the entry */
    void put(byte[] key, byte @Nullable [] value) {
        locked(() -> {
            if (value == null) {
                batch.delete(key);
            } else {
                batch.put(key, value);
            }
            return null;
        });
    }

    /** Writes what has been put, and the position. */
    void write(Position position) {
        locked(() -> {
            for (var entry : position.entries(written).entrySet()) {
                batch.put(entry.getKey(), entry.getValue());
            }
            db.write(writing, batch);
            batch.clear();
            written = position;
            return null;
        });
    }

    /** Receives entries in the order of their keys. */
    interface Visitor {

        /** Returns whether to continue. */
        boolean visit(byte[] key, byte[] value);
    }

    /** Visits the written entries whose keys have this prefix. @param from the first key, included or not there */
    void visit(byte[] prefix, byte[] from, Visitor visitor) {
        locked(() -> {
            try (RocksIterator entries = db.newIterator(reading)) {
                for (entries.seek(from); entries.isValid(); entries.next()) {
                    byte[] key = entries.key();
                    boolean hasPrefix = key.length >= prefix.length
                            && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
                    if (!hasPrefix || !visitor.visit(key, entries.value())) {
                        return null;
                    }
                }
                entries.status();
                return null;
            }
        });
    }

    private interface Use<T> {
        @Nullable
        T apply() throws RocksDBException;
    }

    /** Uses the database, which may not be closed meanwhile: it would crash the process. */
    private <T> @Nullable T locked(Use<T> use) {
        using.lock();
        try {
            expectOpen();
            return use.apply();
        } catch (RocksDBException e) {
            throw failed(e);
        } finally {
            using.unlock();
        }
    }

    private void expectOpen() {
        if (isClosed) {
            throw new IllegalStateException("the table in " + path + " is closed");
        }
    }

    private IllegalStateException failed(RocksDBException e) {
        if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
            discard("it is damaged: " + e.getMessage());
        }
        return new IllegalStateException("cannot use the table in " + path + ": " + e.getMessage(), e);
    }

    /** Has the next start delete the table. */
    void discard(String reason) {
        try {
            Files.writeString(path.resolve(DISCARDED), reason);
        } catch (IOException e) {
            LOG.error("Could not mark the table in {}; delete the folder before the next start: {}", path, reason, e);
        }
    }

    @Override
    public void close() {
        closing.writeLock().lock();
        try {
            if (!isClosed) {
                isClosed = true;
                batch.close();
                db.close();
                reading.close();
                writing.close();
                options.close();
                filter.close();
                onClose.run();
            }
        } finally {
            closing.writeLock().unlock();
        }
    }
}
