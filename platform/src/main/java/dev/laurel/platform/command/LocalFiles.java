package dev.laurel.platform.command;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What processes do to their files: locks, whole replacements, deletions, and reading what an operator has named. Thread-safe. */
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
     * The same for files that one process has for itself.
     *
     * @param inUse the message if another process, or this one, has locked it
     */
    public static FileChannel lock(Path file, String inUse) throws IOException {
        FileChannel channel = lock(file);
        if (channel == null) {
            throw new CommandFailed(inUse);
        }
        return channel;
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

    /**
     * Returns the text of a file that the operator has named.
     *
     * @param prefix begins the messages, such as the option and a colon; may be empty
     * @throws CommandFailed if the file cannot be read, is larger than this, or is not UTF-8
     */
    public static String readText(String prefix, Path file, int maxBytes) {
        return CommandFailed.attempt(prefix + "cannot read " + file, () -> {
            try {
                if (Files.size(file) > maxBytes) {
                    throw new CommandFailed(prefix + file + " must not be larger than " + maxBytes + " bytes");
                }
                return Files.readString(file);
            } catch (NoSuchFileException e) {
                throw new CommandFailed(prefix + "there is no file " + file, e);
            } catch (CharacterCodingException e) {
                throw new CommandFailed(prefix + file + " must be text in UTF-8", e);
            }
        });
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

    /** Works like {@link #resource}, for a resource in the format of {@link Properties}. */
    public static Properties properties(Class<?> owner, String name) {
        var properties = new Properties();
        try {
            properties.load(new ByteArrayInputStream(resource(owner, name)));
        } catch (IOException e) {
            throw new UncheckedIOException("reading memory", e);
        }
        return properties;
    }
}
