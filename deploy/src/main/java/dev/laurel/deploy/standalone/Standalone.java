package dev.laurel.deploy.standalone;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.BrokerStartFailed;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.roles.DeliveryRole;
import dev.laurel.deploy.roles.FollowedTables;
import dev.laurel.deploy.roles.GatewayRole;
import dev.laurel.deploy.roles.KafkaChecks;
import dev.laurel.deploy.roles.KafkaCluster;
import dev.laurel.deploy.roles.NodeRole;
import dev.laurel.deploy.roles.OwnUrl;
import dev.laurel.deploy.roles.RoleProcess;
import dev.laurel.deploy.roles.RoleServer;
import dev.laurel.deploy.roles.StartedParts;
import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.topic.TopicCreation;
import dev.laurel.schemas.trace.Tracing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All roles in this process, with a broker: gateway, node, delivery. {@link #start} returns when it serves; {@link #close} stops
 * the roles in the opposite order. The data directory is all that is kept between two of them.
 */
public final class Standalone implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);

    private final StandaloneSettings settings;
    private final StartedParts parts = new StartedParts();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private DataDir.Key key;
    private boolean isKeyValid;
    private RoleProcess process;
    private NodeRole node;
    private RoleServer server;

    private Standalone(StandaloneSettings settings) {
        this.settings = settings;
    }

    /** One that follows no request. */
    public static Standalone start(StandaloneSettings settings) throws InterruptedException {
        return start(settings, Tracing.NONE);
    }

    /**
     * @param tracing follows requests; closed when the instance is
     * @throws CommandFailed with a reason for people if it cannot start
     */
    public static Standalone start(StandaloneSettings settings, Tracing tracing) throws InterruptedException {
        var standalone = new Standalone(settings);
        try {
            standalone.startAll(standalone.parts.add(tracing));
            return standalone;
        } catch (BrokerStartFailed e) {
            standalone.close();
            throw new CommandFailed(e.getMessage(), e);
        } catch (RuntimeException | InterruptedException e) {
            standalone.close();
            throw e;
        }
    }

    private void startAll(Tracing tracing) throws InterruptedException {
        settings.dataDir().create();
        settings.dataDir().expectTimes(settings.testClock());
        key = settings.adminKey() == null ? settings.dataDir().adminKey() : new DataDir.Key(settings.adminKey(), false);
        var startKey = ApiKey.givenAdminKey(key.value());
        KafkaCluster kafka = startKafka();
        // Only now: a directory that another process holds must not get a clock.
        InstantSource clock = settings.testClock() ? settings.dataDir().testClock() : InstantSource.system();
        createTopics(kafka);
        process = new RoleProcess(kafka, clock, tracing, parts, fault);
        Path state = settings.dataDir().state();
        FollowedTables tables = FollowedTables.start(process);
        node = NodeRole.start(process, tables, state, nodeSettings(), null);
        GatewayRole gateway = GatewayRole.start(process, tables, startKey, settings.gateway());
        DeliveryRole delivery = DeliveryRole.start(process, tables, node.forDelivery(), state, deliverySettings(),
                null);
        node.awaitReady();
        delivery.awaitReady();
        gateway.awaitReady();
        isKeyValid = gateway.isStartKeyValid();
        server = RoleServer.start(process, tables,
                new RoleServer.Address(settings.host(), settings.port(), settings.adminHost(), settings.tls()),
                null, () -> node.isReady() && delivery.isReady(),
                List.of(gateway.routes(), node.routes(), delivery.routes()));
    }

    private KafkaCluster startKafka() {
        if (settings.kafka() != null) {
            return new KafkaCluster(settings.kafka());
        }
        var broker = BrokerSettings.alone(settings.dataDir().kafka(), settings.brokerPort(), 0);
        String bootstrapServers = parts
                .add(EmbeddedBroker.start(settings.testClock() ? broker.takingFuture() : broker)).bootstrapServers();
        settings.dataDir().writeKafkaAddress(bootstrapServers);
        parts.add(settings.dataDir()::removeKafkaAddress);
        return new KafkaCluster(bootstrapServers);
    }

    private void createTopics(KafkaCluster kafka) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            List<String> created = TopicCreation.createMissing(admin,
                    new TopicCreation.Sizes(settings.partitions(), settings.partitions(), 1, (short) 1));
            if (!created.isEmpty()) {
                LOG.info("created topics {}", created);
            }
            if (settings.testClock()) {
                KafkaChecks.expectFutureIsTaken(kafka, admin);
            }
        }
    }

    private Map<String, Object> nodeSettings() {
        Map<String, Object> values = new HashMap<>();
        values.put(LedgerConfig.THREADS,
                Math.min(settings.partitions(), Runtime.getRuntime().availableProcessors()));
        values.putAll(settings.ledger());
        return values;
    }

    private Map<String, Object> deliverySettings() {
        Map<String, Object> values = new HashMap<>();
        values.put(DeliveryConfig.ALLOW_PRIVATE_WEBHOOKS, isLoopback(settings.host()));
        values.put(DeliveryConfig.PUBLIC_URL, OwnUrl.toShare(settings.host(), settings.port(), settings.tls() != null));
        Object rocksDbBytes = settings.ledger().get(LedgerConfig.ROCKSDB_BYTES);
        if (rocksDbBytes != null) {
            values.put(DeliveryConfig.ROCKSDB_BYTES, rocksDbBytes); // one memory for all stores of the process
        }
        values.putAll(settings.delivery());
        return values;
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false; // that nothing can listen there is said when the server starts
        }
    }

    public String url() {
        return server.url();
    }

    /** What is served, as method and path: {@code GET /v1/users/{id}}. */
    public List<String> routes() {
        return server.routes();
    }

    public String bootstrapServers() {
        return process.kafka().bootstrapServers();
    }

    /** The admin key, to be given as {@code X-API-KEY}. */
    public String adminKey() {
        return key.value();
    }

    /** The time that this instance goes by. */
    public Instant now() {
        return process.clock().instant();
    }

    /** Whether the key was made by this start. */
    public boolean isKeyNew() {
        return key.isNew();
    }

    /** Whether the admin key opens anything: it may have been revoked, rotated or deleted since it was first given. */
    public boolean isKeyValid() {
        return isKeyValid;
    }

    public Ledger ledger() {
        return node.ledger();
    }

    /** Completes with what went wrong when a role cannot go on: the process should end then. */
    public CompletableFuture<Throwable> fault() {
        return fault;
    }

    /** Stops what was started, newest first. What fails to stop does not keep the others from stopping. */
    @Override
    public void close() {
        parts.close();
    }
}
