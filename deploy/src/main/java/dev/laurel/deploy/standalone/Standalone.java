package dev.laurel.deploy.standalone;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.broker.BrokerStartFailed;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.NodeId;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.query.QueryService;
import dev.laurel.schemas.http.BootstrapKey;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.SchemaRoutes;
import dev.laurel.schemas.topic.RulesetTable;
import dev.laurel.schemas.topic.TopicCreation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All roles in this process: broker, gateway, node. {@link #start} returns when it serves; {@link #close} stops the roles in
 * the opposite order. The data directory is all that is kept between two of them.
 */
public final class Standalone implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);
    private static final Duration TABLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

    private final StandaloneSettings settings;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private DataDir.Key key;
    private String bootstrapServers;
    private HttpServer http;
    private QueryService queries;
    private Ledger ledger;

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
        key = settings.adminKey() == null ? settings.dataDir().adminKey() : new DataDir.Key(settings.adminKey(), false);
        var keys = new BootstrapKey(key.value());
        startKafka();
        createTopics();
        Map<String, Object> client = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        var rulesets = started(new RulesetTable(client, fault::complete));
        rulesets.start();
        rulesets.awaitCaughtUp(TABLE_TIMEOUT);
        NodeId node = NodeId.keptIn(settings.dataDir().state());
        ledger = started(Ledger.start(ledgerConfig(), node, rulesets, fault::complete));
        started(new RulesetWriter(client, node, rulesets, fault::complete)).start();
        var gateway = started(Gateway.start(gatewayConfig(), rulesets, InstantSource.system(), fault::complete));
        queries = new QueryService(ledger, rulesets, InstantSource.system());
        awaitLedger();
        http = started(HttpServer.start(new HttpServer.Address(settings.host(), settings.port()), keys,
                List.of(gateway.routes(), queries.routes(), new SchemaRoutes())));
    }

    private void startKafka() {
        if (settings.kafka() != null) {
            bootstrapServers = settings.kafka();
            return;
        }
        bootstrapServers = started(EmbeddedBroker.start(settings.dataDir().kafka(), settings.brokerPort(), 0))
                .bootstrapServers();
        settings.dataDir().writeKafkaAddress(bootstrapServers);
        started.push(settings.dataDir()::removeKafkaAddress);
    }

    private void createTopics() {
        try (Admin admin = Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            List<String> created = TopicCreation.createMissing(admin,
                    new TopicCreation.Sizes(settings.partitions(), settings.partitions(), 1, (short) 1));
            if (!created.isEmpty()) {
                LOG.info("created topics {}", created);
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

    private GatewayConfig gatewayConfig() {
        Map<String, Object> values = new HashMap<>(settings.gateway());
        values.put(GatewayConfig.BOOTSTRAP_SERVERS, bootstrapServers);
        return GatewayConfig.of(values);
    }

    /** Restoring a large state takes its time; a fault ends the waiting. */
    private void awaitLedger() throws InterruptedException {
        long deadlineNs = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!ledger.awaitRunning(Duration.ofMillis(200))) {
            if (fault.isDone()) {
                throw new IllegalStateException("the ledger application failed at its start", fault.join());
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("the ledger application is not running after " + START_TIMEOUT);
            }
        }
    }

    private <T extends AutoCloseable> T started(T role) {
        started.push(role);
        return role;
    }

    public String url() {
        return "http://" + settings.host() + ":" + http.port();
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The admin key, to be given as {@code X-API-KEY}. */
    public String adminKey() {
        return key.value();
    }

    /** Whether the key was made by this start. */
    public boolean isKeyNew() {
        return key.isNew();
    }

    public Ledger ledger() {
        return ledger;
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
