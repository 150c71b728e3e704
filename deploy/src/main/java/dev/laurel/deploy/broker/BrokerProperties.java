package dev.laurel.deploy.broker;

import dev.laurel.platform.command.LocalFiles;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Kafka configuration of an embedded broker: what all of them have is in {@code broker.properties}, each setting with its reason; what
 * depends on the broker is set here.
 */
final class BrokerProperties {

    static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String CLIENT_LISTENER = "PLAINTEXT";
    private static final String COMMON = "broker.properties";

    /** Copies of the internal topics: as many as nodes, three at most. */
    private static final int REPLICATION_MAX = 3;

    private static final int IO_THREADS_MAX = 8;

    /** For a controller without brokers, which has no answers to wait for. */
    private static final int LONELY_SESSION_TIMEOUT_MS = 300;

    private static final long STARTUP_MS_MAX = 60_000;

    private BrokerProperties() {}

    /** @param settings with the chosen ports, not 0 */
    static Map<String, Object> of(BrokerSettings settings) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("node.id", settings.nodeId());
        putAddresses(properties, settings);
        properties.put("log.dirs", settings.dataDir());
        if (settings.nodes() == 1) {
            properties.put("server.max.startup.time.ms", STARTUP_MS_MAX);
        } // A node of a quorum waits for the other nodes as long as they need to start.
        int replication = Math.min(REPLICATION_MAX, settings.nodes());
        int inSyncMin = replication == 1 ? 1 : 2;
        properties.put("default.replication.factor", replication);
        properties.put("min.insync.replicas", inSyncMin);
        properties.put("offsets.topic.replication.factor", replication);
        properties.put("transaction.state.log.replication.factor", replication);
        properties.put("transaction.state.log.min.isr", inSyncMin);
        properties.put("num.io.threads", Math.clamp(Runtime.getRuntime().availableProcessors(), 2, IO_THREADS_MAX));
        LocalFiles.properties(BrokerProperties.class, COMMON)
                .forEach((name, value) -> properties.put((String) name, value));
        properties.putAll(settings.further());
        // Text, as in a properties file: Kafka parses it into the type of each setting but refuses an int for a
        // short.
        properties.replaceAll((key, value) -> value.toString());
        return properties;
    }

    /** Returns the properties of the same node without its broker. */
    static Map<String, Object> ofController(BrokerSettings settings) {
        Map<String, Object> properties = of(settings);
        properties.put("process.roles", "controller");
        properties.put("broker.heartbeat.interval.ms", Integer.toString(LONELY_SESSION_TIMEOUT_MS / 3));
        properties.put("broker.session.timeout.ms", Integer.toString(LONELY_SESSION_TIMEOUT_MS));
        properties.put("listeners", CONTROLLER_LISTENER + "://" + settings.controllerAddress());
        properties.remove("advertised.listeners");
        properties.remove("inter.broker.listener.name");
        return properties;
    }

    private static void putAddresses(Map<String, Object> properties, BrokerSettings settings) {
        String clients = CLIENT_LISTENER + "://" + settings.address();
        properties.put("controller.quorum.voters", voters(settings));
        properties.put("listeners", clients + "," + CONTROLLER_LISTENER + "://" + settings.controllerAddress());
        properties.put("advertised.listeners", clients);
    }

    /**
     * Voters are static: their addresses are in this configuration, so a data directory can be used with other ports.
     */
    private static String voters(BrokerSettings settings) {
        if (settings.quorum().isEmpty()) {
            return settings.nodeId() + "@" + settings.controllerAddress();
        }
        return settings.quorum().entrySet().stream()
                .map(voter -> voter.getKey() + "@" + voter.getValue())
                .collect(Collectors.joining(","));
    }
}
