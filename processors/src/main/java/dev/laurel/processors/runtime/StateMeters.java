package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.processors.runtime.StateMeters.StoreOfPartition;
import io.micrometer.core.instrument.Tags;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Meters of the stores of a Streams application: their sizes, and the progress of restoring them. Read on the thread that scrapes. */
final class StateMeters {

    private static final MeterName RESTORE_REMAINING = MeterName.of(
            "laurel.streams.restore.remaining",
            "Records that remain to be restored into a store of a partition; 0 unless it is being restored.");
    private static final MeterName RESTORE_AGE = MeterName.ofSeconds(
            "laurel.streams.restore.age",
            "Time since the oldest restoration in progress began; 0 if none is in progress.");
    private static final MeterName RESTORED =
            MeterName.of("laurel.streams.restored", "Records restored into stores since the start of the process.");
    private static final MeterName STATE_SIZE =
            MeterName.ofBytes("laurel.state.size", "Size of a store on disk, summed over its partitions.");
    private static final MeterName DISK_FREE =
            MeterName.ofBytes("laurel.state.disk.free", "Free space of the file system of the stores.");
    private static final MeterName DISK_SIZE =
            MeterName.ofBytes("laurel.state.disk.size", "Size of the file system of the stores.");

    private final Tags tags;
    private final RestoreProgress restores;
    private final StateSizes sizes;

    /** A store of one partition. */
    record StoreOfPartition(String store, int partition) {}

    /** The sizes of the stores in this process at the last reading. */
    private volatile Map<StoreOfPartition, Long> bytes = Map.of();

    private StateMeters(Tags tags, RestoreProgress restores, StateSizes sizes) {
        this.tags = tags;
        this.restores = restores;
        this.sizes = sizes;
    }

    static void register(MeterScope meters, Tags tags, RestoreProgress restores, StateSizes sizes) {
        var stateMeters = new StateMeters(tags, restores, sizes);
        meters.gauge(RESTORE_AGE, tags, restores::oldestS);
        meters.counter(RESTORED, tags, restores::restored);
        meters.gauges(STATE_SIZE, stateMeters::sizes);
        meters.gauges(RESTORE_REMAINING, stateMeters::remaining);
        meters.gauge(DISK_FREE, tags, sizes::freeBytes);
        meters.gauge(DISK_SIZE, tags, sizes::diskBytes);
    }

    private List<Line> sizes() {
        bytes = sizes.read();
        var byStore = new TreeMap<String, Long>();
        bytes.forEach((key, size) -> byStore.merge(key.store(), size, Long::sum));
        return byStore.entrySet().stream()
                .map(store -> new Line(tags.and("store", store.getKey()), store.getValue()))
                .toList();
    }

    /** A line for each store in this process, so that the value of a store that has been restored falls to 0. */
    private List<Line> remaining() {
        Map<StoreOfPartition, Long> remaining = restores.remaining();
        return Stream.concat(bytes.keySet().stream(), remaining.keySet().stream())
                .distinct()
                .map(key -> new Line(
                        tags.and("store", key.store(), "partition", Integer.toString(key.partition())),
                        remaining.getOrDefault(key, 0L)))
                .toList();
    }

    /**
     * Sizes of the stores of an application on disk, taken from the files. RocksDB's own figures are not safe to read from another thread
     * than the store's, since closing a store frees its memory. Stateless.
     *
     * @param folder of the application
     */
    record StateSizes(Path folder) {

        /** Streams' layout below the folder of an application: {@code 0_3/rocksdb/users/000012.sst}, 3 being the partition. */
        private static final Pattern TASK = Pattern.compile("\\d+_(\\d+)");

        private static final int STORE = 2;

        /** Reads the size of each store in bytes, including standby copies. Files that disappear meanwhile count as empty. */
        Map<StoreOfPartition, Long> read() {
            var sizes = new HashMap<StoreOfPartition, Long>();
            try {
                Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        Path path = folder.relativize(file);
                        Matcher task = TASK.matcher(path.getName(0).toString());
                        if (path.getNameCount() > STORE + 1 && task.matches()) {
                            sizes.merge(
                                    new StoreOfPartition(
                                            path.getName(STORE).toString(), Integer.parseInt(task.group(1))),
                                    attributes.size(),
                                    Long::sum);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException("could not read the sizes of the files in " + folder, e);
            }
            return sizes;
        }

        /** Free bytes; 0 before the folder exists. */
        long freeBytes() {
            return file().getUsableSpace();
        }

        /** Size of the file system of the stores in bytes; 0 before the folder exists. */
        long diskBytes() {
            return file().getTotalSpace();
        }

        private File file() {
            return folder.toFile();
        }
    }
}
