package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All roles (gateway, node, delivery) and a broker in this process. {@link #start} returns when the instance serves;
 * {@link #close} stops the roles in reverse order. Only the data directory outlives an instance.
 */
public final class Standalone implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);

    private final StandaloneSettings settings;
    private final CloseStack parts;
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private final DataDir.Key key;
    private final boolean isKeyValid;
    private final RoleProcess process;
    private final NodeRole node;
    private final RoleServer server;

    /** Starts an instance without tracing. */
    public static Standalone start(StandaloneSettings settings) throws InterruptedException {
        return start(settings, Tracing.NONE);
    }

    /**
     * @param tracing closed with the instance
     * @throws CommandFailed if the instance cannot start
     */
    public static Standalone start(StandaloneSettings settings, Tracing tracing) throws InterruptedException {
        var parts = new CloseStack();
        try {
            return new Standalone(settings, parts.add(tracing), parts);
        } catch (RuntimeException | InterruptedException e) {
            parts.close();
            throw e;
        }
    }

    /** Starts the instance and adds what it starts to {@code parts}, which the caller closes if the start fails. */
    private Standalone(StandaloneSettings settings, Tracing tracing, CloseStack parts) throws InterruptedException {
        this.settings = settings;
        this.parts = parts;
        settings.dataDir().create();
        settings.dataDir().expectTimes(settings.testClock());
        key = settings.adminKey() == null ? settings.dataDir().adminKey() : new DataDir.Key(settings.adminKey(), false);
        var startKey = ApiKey.givenAdminKey(key.value());
        KafkaAccess kafka = startKafka();
        // Only the holder of the broker's lock may create the clock of a directory.
        InstantSource clock = settings.testClock() ? settings.dataDir().testClock() : InstantSource.system();
        createTopics(kafka);
        process = new RoleProcess(kafka, clock, tracing, parts, fault);
        FollowedTables tables = FollowedTables.start(process, settings.dataDir().tables());
        int threads = Math.min(settings.partitions(), Runtime.getRuntime().availableProcessors());
        var config = new LedgerConfig(
                streams(threads), settings.commitIntervalMs(), LedgerConfig.MAX_LAG, settings.maxRanked(), false);
        node = new NodeRole(process, tables, config, null);
        var gateway = new GatewayRole(
                process,
                tables,
                startKey,
                true,
                settings.gateway(),
                settings.replays().open(process, BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        var delivery = new DeliveryRole(
                process,
                tables,
                node.forDelivery(),
                new DeliveryConfig(streams(1), DeliveryConfig.COMMIT_INTERVAL_MS, settings.delivery()),
                null);
        process.shown().keepIn(settings.dataDir().path());
        node.awaitReady();
        delivery.awaitReady();
        gateway.awaitReady();
        isKeyValid = gateway.isStartKeyValid();
        BooleanSupplier isReady = () -> node.isReady() && delivery.isReady();
        // Once no request comes any more: each role waits for its threads to stop.
        parts.add(node::beginClose);
        server = new RoleServer(
                process,
                tables,
                settings.address(),
                null,
                new RoleServer.SignIn(startKey, settings.oidc()),
                isReady,
                List.of(gateway.routes(), node.routes(), delivery.routes()));
        showAddresses(kafka);
    }

    /** Writes to the data directory where tools find this instance, once nothing can fail any more. */
    private void showAddresses(KafkaAccess kafka) {
        boolean isPlain = kafka.clientProperties()
                .equals(KafkaAccess.at(kafka.bootstrapServers()).clientProperties());
        if (settings.kafka() != null && isPlain) {
            parts.add(settings.dataDir().showKafkaAddress(kafka.bootstrapServers()));
        }
        parts.add(settings.dataDir().showUrl(server.urlToCall()));
    }

    /** Returns a new address of the console that signs in once, within a few minutes, if the admin key is valid. */
    public String newSignInUrl() {
        return server.urlToCall() + server.newSignInPath();
    }

    private KafkaAccess startKafka() {
        if (settings.kafka() != null) {
            return settings.kafka();
        }
        var broker = BrokerSettings.alone(settings.dataDir().kafka(), settings.brokerPort(), 0);
        String bootstrapServers = parts.add(EmbeddedBroker.start(settings.testClock() ? broker.takingFuture() : broker))
                .bootstrapServers();
        parts.add(settings.dataDir().showKafkaAddress(bootstrapServers));
        return KafkaAccess.at(bootstrapServers);
    }

    private void createTopics(KafkaAccess kafka) throws InterruptedException {
        try (Admin admin = KafkaClients.admin(kafka, Map.of())) {
            List<String> created = TopicCreation.createMissing(
                    admin,
                    new TopicCreation.Sizes(settings.partitions(), settings.partitions(), 1, (short) 1),
                    Topics.withAuditRetention(settings.auditRetention()));
            if (!created.isEmpty()) {
                LOG.info("Created topics {}", created);
            }
            if (settings.testClock()) {
                KafkaChecks.expectFutureIsTaken(kafka, admin);
            }
        }
    }

    /** All stores of the process share the memory for RocksDB. */
    private StreamsSettings streams(int threads) {
        return StreamsSettings.alone(
                process.kafka(), settings.dataDir().state(), threads, BoundedRocksDb.DEFAULT_MEMORY_BYTES);
    }

    public String url() {
        return server.url();
    }

    /** Returns what the routes need, by method and path: {@code GET /v1/users/{id}}. */
    public SortedMap<String, RequiredRole> routes() {
        return server.routes();
    }

    public String bootstrapServers() {
        return process.kafka().bootstrapServers();
    }

    /** Returns the admin key, for the header {@code X-API-KEY}. */
    public String adminKey() {
        return key.value();
    }

    /** Returns the time of the clock of this instance. */
    public Instant now() {
        return process.clock().instant();
    }

    /** Returns whether this start has created the key. */
    public boolean isKeyNew() {
        return key.isNew();
    }

    /** Returns whether the admin key is valid; it may have been revoked, rotated or deleted since the first start. */
    public boolean isKeyValid() {
        return isKeyValid;
    }

    public Ledger ledger() {
        return node.ledger();
    }

    /** Returns a future that completes when a role cannot continue; the process should then end. */
    public CompletableFuture<Throwable> fault() {
        return fault;
    }

    /** Closes what was started, newest first. A failure does not prevent the others from closing. */
    @Override
    public void close() {
        parts.close();
    }
}
