package dev.laurel.processors.runtime;

import dev.laurel.processors.runtime.StateMeters.StoreOfPartition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of the stores of an application on disk, taken from the files. RocksDB's own figures are not safe to read from another thread
 * than the store's, since closing a store frees its memory. Stateless.
 */
final class StateSizes {

    /** Streams' layout below the folder of an application: {@code 0_3/rocksdb/users/000012.sst}, 3 being the partition. */
    private static final Pattern TASK = Pattern.compile("\\d+_(\\d+)");
    private static final int STORE = 2;

    private final Path folder;

    /** @param stateDir of Kafka Streams */
    StateSizes(String stateDir, String applicationId) {
        this.folder = Path.of(stateDir, applicationId);
    }

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
                        sizes.merge(new StoreOfPartition(path.getName(STORE).toString(),
                                Integer.parseInt(task.group(1))), attributes.size(), Long::sum);
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
