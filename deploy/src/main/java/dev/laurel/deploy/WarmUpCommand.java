package dev.laurel.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.laurel.deploy.broker.EmbeddedBroker;
import picocli.CommandLine.Command;

/**
 * Starts and stops what a standalone Laurel starts, on a scratch directory. The script {@code laurel} lets the JVM
 * record this run in its ahead-of-time cache; nothing else has a use for it.
 */
@Command(name = "warm-up", hidden = true, description = "Start and stop on a scratch directory.")
final class WarmUpCommand implements Callable<Void> {
    @Override
    public Void call() throws IOException {
        Path scratch = Files.createTempDirectory("laurel-warm-up");
        try {
            EmbeddedBroker.start(scratch, 0, 0).close();
        } finally {
            delete(scratch);
        }
        return null;
    }

    private static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(directory)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
