package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Option;

/** Where a role keeps its stores, and how they are worked on. */
final class StoreOptions {

    private static final int ROCKSDB_MIB_MIN = 16;

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "./laurel-data", description = "Where the stores are kept; a process that finds its own again restarts in seconds (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    @Option(names = "--standbys", paramLabel = "N", defaultValue = "1", description = "Copies of each store on other processes of this role, which take over in seconds (default: ${DEFAULT-VALUE}).")
    private int standbys;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that process (default: one for each processor; delivery: 1). More than there are partitions are idle.")
    private Integer threads;

    @Option(names = "--rocksdb-mb", paramLabel = "MIB", description = "Memory for RocksDB, all stores of the process together; it is filled, and the heap is beside it (default: 512; delivery: 128).")
    private Integer rocksDbMib;

    /** @param usual in MiB @throws CommandFailed if it is too little */
    long rocksDbBytes(int usual) {
        int mib = rocksDbMib == null ? usual : rocksDbMib;
        if (mib < ROCKSDB_MIB_MIN) {
            throw new CommandFailed("--rocksdb-mb must be at least " + ROCKSDB_MIB_MIN + ", is " + mib);
        }
        return mib * 1024L * 1024;
    }

    int standbys() {
        return standbys;
    }

    int threads(int usual) {
        return threads == null ? usual : threads;
    }

    Path dataDir() {
        return dataDir;
    }

    Path stateDir() {
        return dataDir.resolve("state");
    }

    /**
     * Makes the data directory, and takes it for one process of this role until the returned lock is closed, or the process
     * ends in whatever way.
     *
     * @throws CommandFailed if another one has it
     */
    AutoCloseable take(String role) {
        try {
            Files.createDirectories(stateDir());
            var channel = FileChannel.open(dataDir.resolve(role + ".lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                throw inUse(role, null);
            }
            return channel;
        } catch (OverlappingFileLockException e) {
            throw inUse(role, e);
        } catch (IOException e) {
            throw new CommandFailed("the data directory " + dataDir + " cannot be used: " + e.getMessage(), e);
        }
    }

    private CommandFailed inUse(String role, Exception cause) {
        return new CommandFailed("the data directory " + dataDir + " is in use by another " + role
                + "; give each its own --data-dir", cause);
    }
}
