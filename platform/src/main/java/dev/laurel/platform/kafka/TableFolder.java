package dev.laurel.platform.kafka;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;

/**
 * The folder of the tables of a process, locked until it is closed. The tables share a cache of blocks, so that their memory does not
 * depend on what they hold. None of them is the only copy of anything: each can be read from its topic again. Thread-safe.
 */
public final class TableFolder implements AutoCloseable {

    static {
        RocksDB.loadLibrary();
    }

    private static final long CACHE_BYTES = 16L * 1024 * 1024;

    /** 4 shards. A block that is larger than a shard is not cached, and a ruleset is a block. */
    private static final int CACHE_SHARD_BITS = 2;

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final FileChannel lock;
    private final boolean isTemporary;
    private final Cache cache = new LRUCache(CACHE_BYTES, CACHE_SHARD_BITS);

    private TableFolder(Path path, FileChannel lock, boolean isTemporary) {
        this.path = path;
        this.lock = lock;
        this.isTemporary = isTemporary;
    }

    /**
     * Opens a folder, in which the process finds its tables again at its next start.
     *
     * @throws CommandFailed if another process uses it, or it cannot be created; the message names it
     */
    public static TableFolder at(Path path) {
        return open(path.toAbsolutePath(), false);
    }

    /** Creates a folder that is deleted when it is closed, so that all tables are read from the beginning of their topics. */
    public static TableFolder temporary() {
        return temporaryIn(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Creates a {@link #temporary} folder in another one, which is created if it does not exist. */
    public static TableFolder temporaryIn(Path parent) {
        try {
            Files.createDirectories(parent.toAbsolutePath());
            return open(Files.createTempDirectory(parent.toAbsolutePath(), "laurel-tables-"), true);
        } catch (IOException e) {
            throw unusable(parent, e);
        }
    }

    private static TableFolder open(Path path, boolean isTemporary) {
        try {
            boolean isNew = Files.notExists(path);
            Files.createDirectories(path);
            if (isNew && Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.setPosixFilePermissions(path, OWNER); // because the tables have secrets
            }
            FileChannel channel = LocalFiles.lock(path.resolve("lock"));
            if (channel == null) {
                throw new CommandFailed(
                        "the folder " + path + " is in use by another process; give each a folder of its own");
            }
            return new TableFolder(path, channel, isTemporary);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    private static CommandFailed unusable(Object path, @Nullable IOException cause) {
        return new CommandFailed("the folder " + path + " cannot be used for tables: " + cause, cause);
    }

    /** Opens the store of a topic's table. The caller closes it before this folder. */
    TableStore open(String topic) {
        return TableStore.open(path.resolve(topic), cache, () -> {});
    }

    /** Opens the store of a topic's table alone in a {@link #temporary} folder, which is closed with the store. */
    static TableStore openTemporary(String topic) {
        TableFolder own = temporary();
        return TableStore.open(own.path.resolve(topic), own.cache, own::close);
    }

    @Override
    public void close() {
        cache.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release the lock of " + path, e);
        }
        if (isTemporary) {
            TableStore.delete(path);
        }
    }
}
