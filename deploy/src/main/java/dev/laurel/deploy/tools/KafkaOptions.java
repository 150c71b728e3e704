package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.KafkaAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which Kafka cluster to talk to. */
public final class KafkaOptions {

    private static final String ADDRESS_FILE = "kafka-address";
    private static final int CONNECT_TIMEOUT_MS = 3_000;

    @Option(names = "--kafka", paramLabel = "HOST:PORT,…", description = "Kafka brokers to start from (default: the broker of the standalone in the data folder).")
    private String kafka;

    @Mixin
    private KafkaConfigOption config;

    /** @param dataDir where a running standalone has written the address of its broker */
    public KafkaAccess access(Path dataDir) {
        if (kafka != null) {
            return config.at(kafka);
        }
        config.expectNone();
        Path file = dataDir.resolve(ADDRESS_FILE);
        try {
            return KafkaAccess.at(Files.readString(file).strip());
        } catch (IOException e) {
            throw new CommandFailed("no Kafka: start the standalone, or give its --data-dir, or --kafka of a cluster;"
                    + " there is no " + file, e);
        }
    }

    /** Whether the brokers were named, and not found by the data folder. */
    public boolean isGiven() {
        return kafka != null;
    }

    /** What clients are told beside the addresses; null if nothing. */
    public Path configFile() {
        return config.file();
    }

    /** Kafka's clients would try on and on and log every attempt; a mistyped address deserves a plain answer. */
    public static void expectReachable(String bootstrapServers) {
        String reason = "no address is given";
        for (String address : bootstrapServers.split(",")) {
            String host = Utils.getHost(address.strip());
            Integer port = Utils.getPort(address.strip());
            if (host == null || port == null) {
                throw new CommandFailed("'" + address + "' is not of the form host:port");
            }
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
                return;
            } catch (IOException | IllegalArgumentException e) {
                reason = e.getMessage() == null ? e.toString() : e.getMessage();
            }
        }
        throw new CommandFailed("cannot reach Kafka at " + bootstrapServers + " (" + reason + "); is it running?");
    }

    /** No client could be made: the innermost cause says which file or which setting is wrong. */
    public static CommandFailed unusable(KafkaAccess kafka, KafkaException e) {
        Throwable reason = e;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        return new CommandFailed("cannot talk to Kafka at " + kafka.bootstrapServers() + ": "
                + (reason.getMessage() == null
                        ? reason.toString()
                        : reason.getMessage()),
                e);
    }
}
