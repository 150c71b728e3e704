package dev.laurel.processors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * Which node this is, for as long as its state lives: kept in the state directory. A node that was killed comes back as the
 * same member of its consumer groups and gets its partitions at once; a stranger would wait until the dead one has timed out.
 */
public record NodeId(String value) {

    private static final String FILE = "node-id";

    /** Reads the id kept in this directory, or makes one. */
    public static NodeId keptIn(Path stateDir) {
        Path file = stateDir.resolve(FILE);
        try {
            if (Files.exists(file)) {
                return new NodeId(Files.readString(file).strip());
            }
            Files.createDirectories(stateDir);
            var id = new NodeId(UUID.randomUUID().toString());
            Path draft = Files.writeString(stateDir.resolve(FILE + ".draft"), id.value() + "\n");
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep the node's id in " + file, e);
        }
    }
}
