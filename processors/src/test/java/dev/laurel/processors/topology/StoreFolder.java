package dev.laurel.processors.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The state folder of a topology test driver. The driver flushes all stores after each record, which takes most of the time of a
 * test on a disk; so the folder is in memory where the system has a file system for that.
 */
public record StoreFolder(Path path) {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /** Containers often have 64 MB, and RocksDB allocates 4 MB for the manifest of each store in advance. */
    private static final long MIN_BYTES = 2L << 30;

    private static final String TASK = "0_0";

    public static StoreFolder create() {
        try {
            boolean isRoomy =
                    Files.isWritable(IN_MEMORY) && Files.getFileStore(IN_MEMORY).getUsableSpace() >= MIN_BYTES;
            return new StoreFolder(
                    isRoomy
                            ? Files.createTempDirectory(IN_MEMORY, "laurel-stores")
                            : Files.createTempDirectory("laurel-stores"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the entries of a store of the only task, for a driver that is started on this folder. Entries are written instead of
     * copying files, because the driver deletes its stores without flushing them.
     */
    public void write(String application, String store, Iterator<KeyValue<Bytes, byte[]>> entries) {
        Path directory =
                path.resolve(application).resolve(TASK).resolve("rocksdb").resolve(store);
        try (var options = new Options().setCreateIfMissing(true)) {
            Files.createDirectories(directory);
            try (var db = RocksDB.open(options, directory.toString())) {
                while (entries.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = entries.next();
                    db.put(entry.key.get(), entry.value);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RocksDBException e) {
            throw new IllegalStateException("store " + store + " cannot be written to " + directory, e);
        }
    }

    public void delete() {
        try (var files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
