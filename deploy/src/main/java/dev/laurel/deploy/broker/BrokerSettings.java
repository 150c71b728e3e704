package dev.laurel.deploy.broker;

import dev.laurel.schemas.kind.Records;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one embedded broker.
 *
 * @param dataDir folder of the broker; formatted at the first start, then bound to its node id and its quorum
 * @param host address that the broker listens on and gives to clients
 * @param port port for clients; 0 takes any free one
 * @param controllerPort port of the metadata quorum; 0 takes any free one, or the one in {@code quorum}
 * @param nodeId id of this node, at least 1
 * @param quorum {@code host:port} of every controller by node id, including this node; empty for a single broker
 * @param clusterId id that the folder is formatted with, the same for all nodes; null derives it from the quorum
 * @param further further settings of Kafka's broker, such as listeners with TLS; they override those of this class
 */
public record BrokerSettings(
        Path dataDir,
        String host,
        int port,
        int controllerPort,
        int nodeId,
        SortedMap<Integer, String> quorum,
        @Nullable String clusterId,
        Map<String, String> further) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int NODES_MAX = 9;
    private static final int PORT_MAX = 65_535;
    private static final Pattern CLUSTER_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public BrokerSettings {
        dataDir = dataDir.toAbsolutePath().normalize();
        quorum = Collections.unmodifiableSortedMap(new TreeMap<>(quorum));
        further = Map.copyOf(further);
        requirePort("port", port);
        requirePort("controller port", controllerPort);
        if (port != 0 && port == controllerPort) {
            throw new IllegalArgumentException("port and controller port are both " + port);
        }
        if (nodeId < 1) {
            throw new IllegalArgumentException("node id " + nodeId + " is below 1");
        }
        if (quorum.size() > NODES_MAX) {
            throw new IllegalArgumentException("a quorum has at most " + NODES_MAX + " nodes, not " + quorum.size());
        }
        if (clusterId != null && !CLUSTER_ID.matcher(clusterId).matches()) {
            throw new IllegalArgumentException(
                    "cluster id \"" + clusterId + "\" is not of 1 to 64 letters, digits, '-' and '_'");
        }
        if (!quorum.isEmpty()) {
            controllerPort = controllerPortIn(quorum, nodeId, controllerPort);
        }
    }

    public BrokerSettings(
            Path dataDir, String host, int port, int controllerPort, int nodeId, SortedMap<Integer, String> quorum) {
        this(dataDir, host, port, controllerPort, nodeId, quorum, null, Map.of());
    }

    /** Returns the settings of a single broker on the loopback address. */
    public static BrokerSettings alone(Path dataDir, int port, int controllerPort) {
        return new BrokerSettings(dataDir, LOOPBACK, port, controllerPort, 1, new TreeMap<>());
    }

    /**
     * Parses {@code id@host:port,id@host:port,…}.
     *
     * @throws IllegalArgumentException naming the malformed part
     */
    public static SortedMap<Integer, String> parseQuorum(String text) {
        SortedMap<Integer, String> quorum = new TreeMap<>();
        for (String voter : text.split(",")) {
            int at = voter.indexOf('@');
            try {
                int id = Integer.parseInt(voter.substring(0, Math.max(at, 0)).strip());
                String address = voter.substring(at + 1).strip();
                requireAddress(address);
                if (quorum.put(id, address) != null) {
                    throw new IllegalArgumentException("quorum names node " + id + " twice");
                }
            } catch (NumberFormatException badId) {
                throw new IllegalArgumentException("\"" + voter + "\" is not of the form id@host:port", badId);
            }
        }
        return quorum;
    }

    /** Omits the further settings, which may be secret, because the text may be logged. */
    @Override
    public String toString() {
        return "BrokerSettings[" + nodeId + " at " + address() + ", " + dataDir + "]";
    }

    /** Returns the number of brokers that can hold a replica. */
    int nodes() {
        return Math.max(1, quorum.size());
    }

    BrokerSettings withPorts(int chosenPort, int chosenControllerPort) {
        return Records.with(this, "port", chosenPort, "controllerPort", chosenControllerPort);
    }

    /** Returns a copy for a broker that accepts any time in the future, as a test clock needs; otherwise, one hour at most. */
    public BrokerSettings takingFuture() {
        return with(Map.of("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
    }

    /** Returns a copy with these further settings. */
    public BrokerSettings with(Map<String, String> settings) {
        return Records.with(this, "further", settings);
    }

    /** Returns the address for clients. */
    String address() {
        return host + ":" + port;
    }

    String controllerAddress() {
        return controllerHost() + ":" + controllerPort;
    }

    /** Returns the address that the controller of this node listens on. */
    String controllerHost() {
        String own = quorum.get(nodeId);
        return own == null ? LOOPBACK : addressOf(own).getHost();
    }

    private static int controllerPortIn(Map<Integer, String> quorum, int nodeId, int controllerPort) {
        quorum.values().forEach(BrokerSettings::requireAddress);
        String own = quorum.get(nodeId);
        if (own == null) {
            throw new IllegalArgumentException("quorum " + quorum.keySet() + " does not name node " + nodeId);
        }
        int named = addressOf(own).getPort();
        if (controllerPort != 0 && controllerPort != named) {
            throw new IllegalArgumentException(
                    "controller port is " + controllerPort + ", but the quorum says " + named);
        }
        return named;
    }

    private static void requireAddress(String address) {
        URI uri = addressOf(address);
        if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > PORT_MAX) {
            throw new IllegalArgumentException("\"" + address + "\" is not of the form host:port");
        }
    }

    private static URI addressOf(String address) {
        return URI.create("kafka://" + address);
    }

    private static void requirePort(String name, int port) {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException(name + " " + port + " is not within 0 and " + PORT_MAX);
        }
    }
}
