package dev.laurel.deploy.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A fresh temporary folder that is deleted at the end, with all that is in it. */
record Scratch(Path path) implements AutoCloseable {

    static Scratch create() {
        try {
            return new Scratch(Files.createTempDirectory("laurel-bench"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create a temporary folder", e);
        }
    }

    /** Of all files in it, 0 if it is not there. Nobody may write to it meanwhile. */
    static long bytes(Path folder) {
        if (!Files.exists(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot tell how large " + folder + " is", e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + path, e);
        }
    }
}
