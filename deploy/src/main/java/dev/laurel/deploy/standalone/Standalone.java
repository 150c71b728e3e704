package dev.laurel.deploy.standalone;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.BrokerStartFailed;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.processors.Boards;
import dev.laurel.processors.Delivery;
import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.NodeId;
import dev.laurel.processors.delivery.email.EmailSender;
import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.message.Rendering;
import dev.laurel.processors.delivery.push.PushSender;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.stream.BoardFloorTable;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.query.QueryService;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.http.AccessKeys;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.HttpSettings;
import dev.laurel.schemas.http.OpenApiRoutes;
import dev.laurel.schemas.http.RateLimits;
import dev.laurel.schemas.http.SchemaRoutes;
import dev.laurel.schemas.topic.AccessTable;
import dev.laurel.schemas.topic.KeyUses;
import dev.laurel.schemas.topic.RulesetTable;
import dev.laurel.schemas.topic.TopicCreation;
import dev.laurel.schemas.topic.Topics;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All roles in this process: broker, gateway, node, delivery. {@link #start} returns when it serves; {@link #close} stops the roles in
 * the opposite order. The data directory is all that is kept between two of them.
 */
public final class Standalone implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);
    private static final Duration TABLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FUTURE_MIN = Duration.ofDays(3_650);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

    private final StandaloneSettings settings;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private DataDir.Key key;
    private boolean isKeyValid;
    private InstantSource clock;
    private String bootstrapServers;
    private HttpServer http;
    private QueryService queries;
    private Ledger ledger;
    private Boards boards;
    private Delivery delivery;

    private Standalone(StandaloneSettings settings) {
        this.settings = settings;
    }

    /** @throws CommandFailed with a reason for people if it cannot start */
    public static Standalone start(StandaloneSettings settings) throws InterruptedException {
        var standalone = new Standalone(settings);
        try {
            standalone.startAll();
            return standalone;
        } catch (BrokerStartFailed e) {
            standalone.close();
            throw new CommandFailed(e.getMessage(), e);
        } catch (RuntimeException | InterruptedException e) {
            standalone.close();
            throw e;
        }
    }

    private void startAll() throws InterruptedException {
        settings.dataDir().create();
        settings.dataDir().expectTimes(settings.testClock());
        key = settings.adminKey() == null ? settings.dataDir().adminKey() : new DataDir.Key(settings.adminKey(), false);
        var startKey = ApiKey.givenAdminKey(key.value());
        startKafka();
        // Only now: a directory that another process holds must not get a clock.
        clock = settings.testClock() ? settings.dataDir().testClock() : InstantSource.system();
        createTopics();
        Map<String, Object> client = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        var rulesets = started(new RulesetTable(client, fault::complete));
        rulesets.start();
        rulesets.awaitCaughtUp(TABLE_TIMEOUT);
        var access = started(new AccessTable(client, fault::complete));
        access.start();
        access.awaitCaughtUp(TABLE_TIMEOUT);
        var uses = started(new KeyUses(client, access.book(), clock));
        uses.start();
        NodeId node = NodeId.keptIn(settings.dataDir().state());
        var floors = started(new BoardFloorTable(client, fault::complete));
        floors.start();
        floors.awaitCaughtUp(TABLE_TIMEOUT);
        var layout = BoardLayout.ask(client, TABLE_TIMEOUT);
        LedgerConfig config = ledgerConfig();
        ledger = started(Ledger.start(config, node, rulesets, floors, layout, clock, fault::complete));
        boards = started(
                Boards.start(config, node, ledger.rulesets(), ledger.layout(), layout, fault::complete));
        started(new RulesetWriter(client, node, rulesets, access, clock, fault::complete)).start();
        var gateway = started(Gateway.start(gatewayConfig(), rulesets, access, clock, fault::complete));
        queries = new QueryService(ledger, boards, rulesets, access, clock);
        startDelivery(node, rulesets, access);
        await("ledger", ledger::awaitReady);
        await("boards", boards::awaitReady);
        await("delivery", delivery::awaitReady);
        isKeyValid = gateway.awaitStartKey(startKey, TABLE_TIMEOUT);
        var keys = new AccessKeys(access.book(), rulesets, uses::used);
        var serving = HttpSettings.at(new HttpServer.Address(settings.host(), settings.port()))
                .withAdminHost(settings.adminHost()).withLimits(new RateLimits(rulesets));
        http = started(HttpServer.start(serving, keys,
                List.of(gateway.routes(), queries.routes(delivery), new SchemaRoutes(), new OpenApiRoutes())));
    }

    private void startDelivery(NodeId node, RulesetTable rulesets, AccessTable access) {
        DeliveryConfig config = deliveryConfig();
        if (config.publicUrl().isEmpty()) {
            LOG.warn("emails have no link to unsubscribe: --public-url says where browsers reach this instance");
        }
        var email = started(new EmailSender(access.book(), config.publicUrl(),
                new AddressGuard(config.allowsPrivateWebhooks()), clock));
        var push = started(
                new PushSender(access, message -> Rendering.of(message.channel(), message.text(), message.facts(),
                        message.sender(), message.branding(), null)));
        var parts = new Delivery.Parts(rulesets, ledger.rulesets(), access, queries.lookups(),
                Map.of(NotificationChannel.EMAIL, email, NotificationChannel.PUSH, push), ledger.layout());
        delivery = started(Delivery.start(config, node, parts, clock, fault::complete));
    }

    private void startKafka() {
        if (settings.kafka() != null) {
            bootstrapServers = settings.kafka();
            return;
        }
        var broker = BrokerSettings.alone(settings.dataDir().kafka(), settings.brokerPort(), 0);
        bootstrapServers = started(EmbeddedBroker.start(settings.testClock() ? broker.takingFuture() : broker))
                .bootstrapServers();
        settings.dataDir().writeKafkaAddress(bootstrapServers);
        started.push(settings.dataDir()::removeKafkaAddress);
    }

    private void createTopics() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            List<String> created = TopicCreation.createMissing(admin,
                    new TopicCreation.Sizes(settings.partitions(), settings.partitions(), 1, (short) 1));
            if (!created.isEmpty()) {
                LOG.info("created topics {}", created);
            }
            if (settings.testClock()) {
                expectFutureIsTaken(admin);
            }
        }
    }

    /** Asked before anything is stamped: the ledger's own topics would refuse the future, too, and stop it. */
    private void expectFutureIsTaken(Admin admin) throws InterruptedException {
        var log = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS.name());
        try {
            long aheadMs = Long.parseLong(configOf(log, admin)
                    .get(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG).value());
            if (aheadMs < FUTURE_MIN.toMillis()) {
                throw new CommandFailed("--test-clock needs a Kafka that takes records from the future: set "
                        + "log.message.timestamp.after.max.ms=" + Long.MAX_VALUE + " on the brokers of "
                        + settings.kafka()
                        + " (it is " + aheadMs + "), or leave --kafka out");
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new CommandFailed("cannot find out whether Kafka takes records from the future: " + e.getMessage(),
                    e);
        }
    }

    /** A topic that was made a moment ago is not known to every broker yet. */
    private static Config configOf(ConfigResource topic, Admin admin)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadlineNs = System.nanoTime() + TABLE_TIMEOUT.toNanos();
        while (true) {
            try {
                return admin.describeConfigs(List.of(topic)).all()
                        .get(TABLE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).get(topic);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > deadlineNs) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    private LedgerConfig ledgerConfig() {
        Map<String, Object> values = new HashMap<>();
        values.put(LedgerConfig.THREADS,
                Math.min(settings.partitions(), Runtime.getRuntime().availableProcessors()));
        values.putAll(settings.ledger());
        values.put(LedgerConfig.BOOTSTRAP_SERVERS, bootstrapServers);
        values.put(LedgerConfig.STATE_DIR, settings.dataDir().state().toString());
        return new LedgerConfig(values);
    }

    private DeliveryConfig deliveryConfig() {
        Map<String, Object> values = new HashMap<>();
        values.put(DeliveryConfig.ALLOW_PRIVATE_WEBHOOKS, isLoopback(settings.host()));
        values.put(DeliveryConfig.PUBLIC_URL, OwnUrl.toShare(settings.host(), settings.port()));
        Object rocksDbBytes = settings.ledger().get(LedgerConfig.ROCKSDB_BYTES);
        if (rocksDbBytes != null) {
            values.put(DeliveryConfig.ROCKSDB_BYTES, rocksDbBytes); // one memory for all stores of the process
        }
        values.putAll(settings.delivery());
        values.put(DeliveryConfig.BOOTSTRAP_SERVERS, bootstrapServers);
        values.put(DeliveryConfig.STATE_DIR, settings.dataDir().state().toString());
        return new DeliveryConfig(values);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false; // that nothing can listen there is said when the server starts
        }
    }

    private GatewayConfig gatewayConfig() {
        Map<String, Object> values = new HashMap<>(settings.gateway());
        values.put(GatewayConfig.BOOTSTRAP_SERVERS, bootstrapServers);
        return GatewayConfig.of(values);
    }

    /** An application of this node; false if it is not ready after that time. */
    private interface Readiness {

        boolean await(Duration timeout) throws InterruptedException;
    }

    /** Restoring a large state and processing what is behind it take their time; a fault ends the waiting. */
    private void await(String application, Readiness readiness) throws InterruptedException {
        long deadlineNs = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!readiness.await(Duration.ofMillis(200))) {
            if (fault.isDone()) {
                throw new IllegalStateException("the " + application + " application failed at its start",
                        fault.join());
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(
                        "the " + application + " application is not ready after " + START_TIMEOUT);
            }
        }
    }

    private <T extends AutoCloseable> T started(T role) {
        started.push(role);
        return role;
    }

    public String url() {
        return OwnUrl.of(settings.host(), http.port());
    }

    /** What is served, as method and path: {@code GET /v1/users/{id}}. */
    public List<String> routes() {
        return http.routes();
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The admin key, to be given as {@code X-API-KEY}. */
    public String adminKey() {
        return key.value();
    }

    /** The time that this instance goes by. */
    public Instant now() {
        return clock.instant();
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
        return ledger;
    }

    public Delivery delivery() {
        return delivery;
    }

    public QueryService queries() {
        return queries;
    }

    /** Completes with what went wrong when a role cannot go on: the process should end then. */
    public CompletableFuture<Throwable> fault() {
        return fault;
    }

    /** Stops what was started, newest first. What fails to stop does not keep the others from stopping. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            AutoCloseable role = started.pop();
            try {
                role.close();
            } catch (Exception e) {
                LOG.error("{} did not stop cleanly", role.getClass().getSimpleName(), e);
            }
        }
    }
}
