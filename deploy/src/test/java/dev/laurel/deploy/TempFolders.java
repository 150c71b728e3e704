package dev.laurel.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders in memory, where the system has some: an instance has a thousand files, whose creation and deletion on a disk is a
 * fifth of the work of its start and stop. At full size they are on the disk, on which figures are measured.
 */
public final class TempFolders implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES = 3L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create("junit-");
    }

    /** Creates a folder that the caller deletes. */
    public static Path create(String prefix) throws IOException {
        return !Boolean.getBoolean("laurel.full")
                        && Files.isWritable(MEMORY)
                        && Files.getFileStore(MEMORY).getUsableSpace() > ROOM_BYTES
                ? Files.createTempDirectory(MEMORY, prefix)
                : Files.createTempDirectory(prefix);
    }
}
