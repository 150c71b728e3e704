package dev.laurel.processors.store;

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

/**
 * How large the stores of an application are on disk. It looks at the files: the numbers that RocksDB has of itself are not safe
 * to ask for by a thread other than the store's, since a store that is closed meanwhile is freed memory. Stateless.
 */
public final class StateSizes {

    /** Streams' layout below the folder of an application: {@code 0_3/rocksdb/users/000012.sst}, 3 being the partition. */
    private static final Pattern TASK = Pattern.compile("\\d+_(\\d+)");
    private static final int STORE = 2;

    private final Path folder;

    /** @param stateDir of Streams; @param applicationId whose stores these are */
    public StateSizes(String stateDir, String applicationId) {
        this.folder = Path.of(stateDir, applicationId);
    }

    /** Bytes of each store that is here, standby copies too. Files come and go meanwhile: what has gone counts nothing. */
    public Map<StoreOfPartition, Long> look() {
        var sizes = new HashMap<StoreOfPartition, Long>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    Path place = folder.relativize(file);
                    Matcher task = TASK.matcher(place.getName(0).toString());
                    if (place.getNameCount() > STORE + 1 && task.matches()) {
                        sizes.merge(new StoreOfPartition(place.getName(STORE).toString(),
                                Integer.parseInt(task.group(1))), attributes.size(), Long::sum);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look through " + folder, e);
        }
        return sizes;
    }

    /** Bytes that can still be written; 0 before the folder is there. */
    public long freeBytes() {
        return file().getUsableSpace();
    }

    /** Bytes of the file system that the stores are on; 0 before the folder is there. */
    public long diskBytes() {
        return file().getTotalSpace();
    }

    private File file() {
        return folder.toFile();
    }
}
