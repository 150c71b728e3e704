package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the stores of a role. */
final class StoreOptions {

    private static final int ROCKSDB_MIB_MIN = 16;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "./laurel-data",
            description = "Folder for the stores; a process that finds its stores again restarts in seconds (default:"
                    + " ${DEFAULT-VALUE}).")
    Path dataDir;

    @Option(
            names = "--standbys",
            paramLabel = "N",
            defaultValue = "1",
            description = "Standby copies of each store on other processes of this role, which can take over in seconds"
                    + " (default: ${DEFAULT-VALUE}).")
    private int standbys;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Stream threads (default: one per processor; delivery: 1). Threads beyond the number of partitions"
                            + " are idle.")
    private @Nullable Integer threads;

    @Option(
            names = "--rocksdb-mb",
            paramLabel = "MIB",
            description =
                    "Memory for RocksDB, for all stores of the process together and in addition to the heap; it is"
                            + " filled in time (default: 512; delivery: 128).")
    private @Nullable Integer rocksDbMib;

    /**
     * Returns the memory for RocksDB.
     *
     * @param usual default in MiB
     * @throws CommandFailed if it is too small
     */
    long rocksDbBytes(int usual) {
        int mib = rocksDbMib == null ? usual : rocksDbMib;
        if (mib < ROCKSDB_MIB_MIN) {
            throw new CommandFailed("--rocksdb-mb must be at least " + ROCKSDB_MIB_MIN + ", is " + mib);
        }
        return mib * 1024L * 1024;
    }

    /**
     * Returns how many stream threads to run.
     *
     * @throws CommandFailed if the number is out of range
     */
    int threads(int usual) {
        int all = threads == null ? usual : threads;
        CommandFailed.expectRange("--threads", all, 1, 64);
        return all;
    }

    /**
     * Returns how many standby copies of each store to keep.
     *
     * @throws CommandFailed if the number is out of range
     */
    int standbys() {
        CommandFailed.expectRange("--standbys", standbys, 0, 5);
        return standbys;
    }

    Path stateDir() {
        return dataDir.resolve("state");
    }

    /**
     * Creates the data directory and locks it for one process of this role, as a part of the process or until that ends.
     *
     * @return the folder of its tables
     * @throws CommandFailed if another process has locked it
     */
    Path takeTables(String role, CloseStack parts) {
        parts.add(CommandFailed.attempt("the data directory " + dataDir + " cannot be used", () -> {
            Files.createDirectories(stateDir());
            return LocalFiles.lock(
                    dataDir.resolve(role + ".lock"),
                    "the data directory " + dataDir + " is in use by another " + role
                            + "; give each its own --data-dir");
        }));
        return dataDir.resolve("tables").resolve(role);
    }
}
