package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.KafkaAccess;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Option;

/** What clients of Kafka are told beside its addresses, for every command that talks to Kafka. */
public final class KafkaConfigOption {

    private static final String NAME = "--kafka-config";

    @Option(names = NAME, paramLabel = "FILE", description = "Properties for all clients of Kafka: security.protocol, sasl.*, ssl.* and the like.")
    private Path file;

    /**
     * How the Kafka at these addresses is reached.
     *
     * @throws CommandFailed naming the setting that cannot be set
     */
    public KafkaAccess at(String bootstrapServers) {
        try {
            return KafkaAccess.of(bootstrapServers, file == null ? Map.of() : SecretFile.readProperties(NAME, file));
        } catch (ConfigException e) {
            throw new CommandFailed((file == null ? "--kafka: " : NAME + ": in " + file + ": ") + e.getMessage(), e);
        }
    }

    /** The file, for commands that people paste; null if there is none. */
    public Path file() {
        return file;
    }

    /** For who has no addresses: those properties would be of no use. */
    public void expectNone() {
        if (file != null) {
            throw new CommandFailed(NAME + " is for the cluster that --kafka names: give --kafka, too");
        }
    }
}
