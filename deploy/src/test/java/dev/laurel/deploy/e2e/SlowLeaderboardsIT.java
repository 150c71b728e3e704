package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneWithLedger;
import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.http.GatewayRoutes;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.runtime.Leaderboards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how long the response to an event waits: for leaderboards up to the waiting time, for a commit never. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SlowLeaderboardsIT {

    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ANSWERS = 20;
    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "points": {"gems": {"triggers": {
           "per-lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}}},
         "leaderboards": {
           "swimmers": {"status": "active", "rankBy": "metric", "metric": "laps"},
           "rich": {"status": "active", "rankBy": "points", "pointsSystem": "gems"}}}\
        """;

    @TempDir
    private Path dataDir;

    @AutoClose
    private final CloseStack started = new CloseStack();

    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();

    /** Starts the roles separately, as an operator may do, and the boards application last. */
    @Test
    void shouldAnswerWithoutSlowLeaderboards() throws Exception {
        String servers = started.add(EmbeddedBroker.start(BrokerSettings.alone(dataDir.resolve("kafka"), 0, 0)))
                .bootstrapServers();
        Map<String, Object> client = Map.of("bootstrap.servers", servers);
        try (Admin admin = Admin.create(client)) {
            TopicCreation.createMissing(admin, new TopicCreation.Sizes(1, 1, 1, (short) 1), Topics.all());
        }
        var rulesets = started.add(new RulesetTable(client, fault::complete));
        rulesets.start();
        rulesets.awaitCaughtUp(PATIENCE);
        var access = started.add(new AccessTable(client, fault::complete));
        access.start();
        access.awaitCaughtUp(PATIENCE);
        var generations = started.add(new GenerationTable(client, fault::complete));
        generations.start();
        generations.awaitCaughtUp(PATIENCE);
        NodeId node = NodeId.keptIn(dataDir);
        var layout = new LeaderboardLayout(
                LogLayout.ask(client, Topics.SCORES.name(), PATIENCE).partitions());
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(servers), dataDir.resolve("state"), 2, BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        var clock = InstantSource.system();
        var context = new NodeContext(config, node, layout, clock, new LocalRecords(), new Metrics(), fault::complete);
        PipelineSettings settings = new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, false, true);
        var ledger = started.add(new Ledger(context, settings, rulesets));
        ledger.start();
        started.add(new RulesetWriter(
                        client,
                        node,
                        rulesets,
                        access,
                        generations,
                        (_, achievements) -> achievements,
                        (_, _) -> null,
                        clock,
                        fault::complete))
                .start();
        LaurelClient laurel = gateway(servers, new Gateway.Tables(rulesets, access, generations), clock);
        assertTrue(ledger.awaitReady(PATIENCE));
        laurel.put("/admin/v1/ruleset", RULESET).expect(200);

        long startedNs = System.nanoTime();
        JsonResponse alone = laurel.record("ann", "laps", "3");

        long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
        assertTrue(tookMs >= REPLY_TIMEOUT.toMillis(), "took " + tookMs);
        assertEquals("{}", alone.at("/leaderboards").toString());
        assertEquals("[\"swimmers\",\"rich\"]", alone.at("/pending").toString());
        assertEquals("3", alone.at("/total").toString());
        assertEquals(6, alone.at("/points/gems/added").intValue());
        assertEquals(1, alone.at("/currentStreak/length").intValue());

        var boards = started.add(Leaderboards.start(context, settings, ledger.rulesets(), ledger.layout()));
        assertTrue(boards.awaitReady(PATIENCE));
        JsonResponse whole = laurel.record("bo", "laps", "1");
        assertFalse(whole.json().has("pending"), whole.text());
        assertEquals(2, whole.at("/leaderboards/swimmers/rank").intValue(), "ann was ranked when they came");
        assertEquals(2, whole.at("/leaderboards/rich/rank").intValue());
        assertFalse(fault.isDone(), () -> "stopped by " + fault.join());
    }

    private LaurelClient gateway(String servers, Gateway.Tables tables, InstantSource clock)
            throws InterruptedException {
        var config = new GatewayConfig(
                KafkaAccess.at(servers),
                "slow-leaderboards",
                false,
                new GatewayConfig.Limits(GatewayConfig.DEFAULT_MAX_IN_FLIGHT, REPLY_TIMEOUT, false));
        var gateway = started.add(Gateway.start(
                config,
                tables,
                new Gateway.Surroundings(clock, Tracing.NONE, new LocalRecords(), new Metrics(), fault::complete)));
        var http = started.add(TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                new BootstrapKey(LaurelProcess.ADMIN_KEY),
                List.of(GatewayRoutes.of(gateway, config, tables, clock))));
        return started.add(new LaurelClient("http://127.0.0.1:" + http.port(), LaurelProcess.ADMIN_KEY));
    }

    @Test
    void shouldNotWaitForTheCommit() throws InterruptedException {
        var settings = StandaloneWithLedger.settings(dataDir, (int) COMMIT_INTERVAL.toMillis());
        var standalone = started.add(Standalone.start(settings));
        var laurel = started.add(new LaurelClient(standalone.url(), standalone.adminKey()));
        laurel.put("/admin/v1/ruleset", RULESET).expect(200);
        laurel.record("first", "laps", "1000");

        long startedNs = System.nanoTime();
        for (int i = 1; i <= ANSWERS; i++) {
            JsonResponse answer = laurel.record("u" + i, "laps", Integer.toString(i));
            assertEquals(2, answer.at("/leaderboards/swimmers/rank").intValue(), answer.text());
            assertEquals(2, answer.at("/leaderboards/rich/rank").intValue(), answer.text());
        }

        // Sequential events: an answer that waited for the next commit would be pending, and have no ranks.
        long tookMs = (System.nanoTime() - startedNs) / 1_000_000;
        System.out.printf(
                "%d answers with ranks took %d ms; a commit takes place every %d ms.%n",
                ANSWERS, tookMs, COMMIT_INTERVAL.toMillis());
    }
}
