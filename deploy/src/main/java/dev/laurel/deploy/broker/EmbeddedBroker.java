package dev.laurel.deploy.broker;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker and controller inside this JVM, with its data in one directory.
 *
 * <p>The first start formats the directory, which keeps its cluster id; later starts may use other ports, and the
 * broker recovers by itself after the process was killed. Only one broker at a time can use a directory. A fatal
 * fault of the broker, such as a full disk, ends the process, as in Kafka: Laurel cannot work without its log.
 *
 * <p>{@link #start} returns when clients can connect. {@link #close} may be called from any thread and repeatedly;
 * clients should be closed first, or they log that the broker has gone away.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final String FORMATTED_MARK = MetaPropertiesEnsemble.META_PROPERTIES_NAME;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final BrokerSettings settings;
    private final KafkaRaftServer server;
    private final DataDirLock lock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedBroker(BrokerSettings settings, KafkaRaftServer server, DataDirLock lock) {
        this.settings = settings;
        this.server = server;
        this.lock = lock;
    }

    /**
     * Starts a single broker or a node of a quorum. In a quorum it returns once a majority is up.
     *
     * @throws CommandFailed if the directory is in use, a port is in use, or Kafka refuses to start
     */
    public static EmbeddedBroker start(BrokerSettings wanted) {
        long startedNs = System.nanoTime();
        BrokerSettings settings = choosePorts(wanted);
        DataDirLock lock = takeDataDir(settings);
        try {
            formatIfNew(settings);
            StaleBrokerFencing.awaitFenced(settings);
            KafkaRaftServer server =
                    new KafkaRaftServer(new KafkaConfig(BrokerProperties.of(settings), false), Time.SYSTEM);
            server.startup();
            EmbeddedBroker broker = new EmbeddedBroker(settings, server, lock);
            LOG.info(
                    "Kafka broker is up at {} after {} ms, data in {}",
                    broker.bootstrapServers(),
                    Duration.ofNanos(System.nanoTime() - startedNs).toMillis(),
                    settings.dataDir());
            return broker;
        } catch (Exception refused) {
            release(lock);
            throw new CommandFailed("Kafka broker did not start: " + refused.getMessage(), refused);
        }
    }

    /** Returns the value for {@code bootstrap.servers} of clients. */
    public String bootstrapServers() {
        return settings.address();
    }

    /**
     * Stops the broker and unlocks the data directory. Gives up after 30 s; the directory then stays locked until the
     * process ends, because the broker may still be writing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Thread stopping = Thread.ofPlatform().name("broker-stop").daemon(true).start(() -> {
            server.shutdown();
            server.awaitShutdown();
        });
        try {
            if (stopping.join(CLOSE_TIMEOUT)) {
                release(lock);
            } else {
                LOG.error(
                        "Kafka broker did not stop within {} s; its data directory {} stays locked",
                        CLOSE_TIMEOUT.toSeconds(),
                        settings.dataDir());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /*
     * Ports are chosen and tried before Kafka sees them: its controller ends the whole process if it cannot bind, and
     * the static voter list needs the real controller port. Another server can still take a port in between; the start
     * then fails as for any used port.
     */
    private static BrokerSettings choosePorts(BrokerSettings wanted) {
        return CommandFailed.attempt("cannot check the ports of the broker", () -> {
            try (ServerSocketChannel clients = bindClients(wanted);
                    ServerSocketChannel controller = bind(wanted.controllerHost(), wanted.controllerPort())) {
                return wanted.withPorts(
                        clients.socket().getLocalPort(), controller.socket().getLocalPort());
            }
        });
    }

    /** If any port is allowed, tries the port of the killed broker first. */
    private static ServerSocketChannel bindClients(BrokerSettings wanted) throws IOException {
        int before = wanted.port() == 0 ? DataDirLock.portBeforeTheKill(wanted.dataDir()) : 0;
        if (before != 0) {
            try {
                return bind(wanted.host(), before);
            } catch (CommandFailed taken) {
                LOG.debug("Port {} of the killed broker is in use; taking another one", before, taken);
            }
        }
        return bind(wanted.host(), wanted.port());
    }

    private static ServerSocketChannel bind(String host, int port) throws IOException {
        if (port == 0) {
            return Objects.requireNonNull(HttpSettings.Address.held(host).held());
        }
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.socket().setReuseAddress(true);
            socket.socket().bind(new InetSocketAddress(host, port));
            return socket;
        } catch (IOException taken) {
            socket.close();
            throw new CommandFailed("cannot listen on " + host + ":" + port + ": " + taken.getMessage(), taken);
        }
    }

    private static DataDirLock takeDataDir(BrokerSettings settings) {
        return CommandFailed.attempt(
                "cannot use data directory " + settings.dataDir(),
                () -> DataDirLock.take(Files.createDirectories(settings.dataDir()), settings.address()));
    }

    /** Formatting writes the marker file last, so an interrupted format is repeated. */
    private static void formatIfNew(BrokerSettings settings) throws Exception {
        String dataDir = settings.dataDir().toString();
        if (Files.exists(settings.dataDir().resolve(FORMATTED_MARK))) {
            return;
        }
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(settings.nodeId())
                .setClusterId(newClusterId(settings))
                .addDirectory(dataDir)
                .setMetadataLogDirectory(dataDir)
                .setControllerListenerName(BrokerProperties.CONTROLLER_LISTENER)
                .run();
    }

    /**
     * Nodes of a quorum are formatted separately and must agree, so their cluster id is derived from the list of
     * voters.
     */
    private static String newClusterId(BrokerSettings settings) {
        if (settings.clusterId() != null) {
            return settings.clusterId();
        }
        Map<Integer, String> quorum = settings.quorum();
        if (quorum.isEmpty()) {
            return Uuid.randomUuid().toString();
        }
        UUID named = UUID.nameUUIDFromBytes(quorum.toString().getBytes(StandardCharsets.UTF_8));
        return new Uuid(named.getMostSignificantBits(), named.getLeastSignificantBits()).toString();
    }

    private static void release(DataDirLock lock) {
        try {
            lock.close();
        } catch (IOException failed) {
            LOG.warn("Could not release the lock of the broker's data directory", failed);
        }
    }
}
