package dev.laurel.processors.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * The identity of a node, stored in the state directory for as long as the state exists. A node that is killed and started again is the
 * same static member of its consumer groups. It replaces its former member at once; a new member would wait for that to time out.
 */
public record NodeId(String value) {

    private static final String FILE = "node-id";

    /** Makes the members of an application those of this node. @return the same properties */
    public Properties addedTo(Properties streams) {
        StreamsSettings.putConsumer(streams, Map.of(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, value));
        return streams;
    }

    /** Reads the id from this directory; generates and stores one if there is none. */
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
            throw new UncheckedIOException("cannot store the node's id in " + file, e);
        }
    }
}
