package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder of one's own that is gone afterwards. */
record ScratchFolder(Path path) implements AutoCloseable {

    /** @param parent where to make it; null: where the system keeps temporary files */
    static ScratchFolder in(Path parent) {
        try {
            return new ScratchFolder(parent == null
                    ? Files.createTempDirectory("laurel-replay-")
                    : Files.createTempDirectory(Files.createDirectories(parent), "replay-"));
        } catch (IOException e) {
            throw new CommandFailed("cannot make a folder for the replay in "
                    + (parent == null ? System.getProperty("java.io.tmpdir") : parent) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        }
    }
}
