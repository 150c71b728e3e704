package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Option;

/** Which Kafka cluster to talk to. */
public final class KafkaOptions {

    private static final String ADDRESS_FILE = "kafka-address";
    private static final int CONNECT_TIMEOUT_MS = 3_000;

    @Option(names = "--kafka", paramLabel = "HOST:PORT,…", description = "Kafka brokers to start from (default: the broker of the standalone in the data folder).")
    private String kafka;

    /** @param dataDir where a running standalone has written the address of its broker */
    public String bootstrapServers(Path dataDir) {
        if (kafka != null) {
            return kafka;
        }
        Path file = dataDir.resolve(ADDRESS_FILE);
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed("no Kafka: start the standalone, or give its --data-dir, or --kafka of a cluster;"
                    + " there is no " + file, e);
        }
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
}
