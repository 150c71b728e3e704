package dev.laurel.platform.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

/** What processes do to their files beyond reading and writing: locks, whole replacements, deletions. Thread-safe. */
public final class LocalFiles {

    private LocalFiles() {}

    /**
     * Locks a file, which is created if it does not exist, until the channel is closed.
     *
     * @return null: another process, or this one, has locked it
     */
    public static @Nullable FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException _) {
            // locked by this process
        }
        channel.close();
        return null;
    }

    /**
     * Replaces a file atomically and durably: it holds one content or the next whenever the process dies.
     *
     * @param draft a file beside it, for the new content
     */
    public static void replace(Path file, Path draft, byte[] content) throws IOException {
        try (FileChannel out = FileChannel.open(draft, CREATE, WRITE, TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes a file, or a folder with its contents, if it exists. */
    public static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The content of a resource of the class path. @param name as for {@link Class#getResourceAsStream}; there is such a resource */
    public static byte[] resource(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
