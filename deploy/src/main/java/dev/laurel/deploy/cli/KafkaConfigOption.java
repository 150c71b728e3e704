package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the properties of all Kafka clients beside the addresses of the brokers. */
public final class KafkaConfigOption {

    private static final String NAME = "--kafka-config";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = "Properties for all clients of Kafka: security.protocol, sasl.*, ssl.* and the like.")
    @Nullable
    Path file;

    /**
     * Returns the access to the Kafka cluster at these addresses.
     *
     * @throws CommandFailed naming the setting that cannot be set
     */
    public KafkaAccess at(String bootstrapServers) {
        try {
            return new KafkaAccess(bootstrapServers, file == null ? Map.of() : SecretFile.readProperties(NAME, file));
        } catch (ConfigException e) {
            throw new CommandFailed((file == null ? "--kafka: " : NAME + ": in " + file + ": ") + e.getMessage(), e);
        }
    }

    /** Rejects the option in a command line without addresses, where it would have no effect. */
    public void expectNone() {
        if (file != null) {
            throw new CommandFailed(NAME + " is for the cluster that --kafka names: give --kafka, too");
        }
    }
}
