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

    /** @param parent where to make it */
    static ScratchFolder in(Path parent) {
        try {
            Path folder = Files.createDirectories(parent.toAbsolutePath());
            return new ScratchFolder(Files.createTempDirectory(folder, "replay-"));
        } catch (IOException e) {
            throw new CommandFailed("cannot make a folder for the replay in " + parent.toAbsolutePath() + ": "
                    + e.getMessage(), e);
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
