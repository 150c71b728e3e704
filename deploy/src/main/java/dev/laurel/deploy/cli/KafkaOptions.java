package dev.laurel.deploy.cli;

import dev.laurel.platform.kafka.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select the Kafka cluster of a command. */
public final class KafkaOptions {

    @Option(names = "--kafka", paramLabel = "HOST:PORT,…", description = "Addresses of Kafka brokers (default: the broker of the standalone in the data folder).")
    private @Nullable String kafka;

    @Mixin
    private final KafkaConfigOption config = new KafkaConfigOption();

    /** @param dataDir folder in which a running standalone has written the address of its broker */
    public KafkaAccess access(Path dataDir) {
        if (kafka != null) {
            return config.at(kafka);
        }
        config.expectNone();
        Path file = new DataDir(dataDir).kafkaAddressFile();
        try {
            return KafkaAccess.at(Files.readString(file).strip());
        } catch (IOException e) {
            throw new CommandFailed("no Kafka: start the standalone, or give its --data-dir, or --kafka of a cluster;"
                    + " there is no " + file, e);
        }
    }

    /** Returns whether the brokers were given by option rather than found in the data folder. */
    public boolean isGiven() {
        return kafka != null;
    }

    /** Returns the file with further client properties. */
    public @Nullable Path configFile() {
        return config.file();
    }
}
