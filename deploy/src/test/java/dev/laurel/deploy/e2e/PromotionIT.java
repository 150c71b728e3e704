package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.generation.Generations;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests a promotion while events arrive continuously: no event is lost, none has effects twice, and the state is the
 * fold of the log.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class PromotionIT {

    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "points": {"gems": {"triggers": {"each": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
         "leaderboards": {"laps": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01"}},
         "webhooks": {"crm": {"name": "CRM", "url": "http://127.0.0.1:9/hook", "events": ["points.changed"],
           "status": "active"}}}
        """;
    private static final int USERS = 40;
    private static final int BEFORE = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path scratch;

    private final Map<String, Integer> sent = new TreeMap<>();
    private int events;

    @Test
    void shouldLoseAndRepeatNothingDuringAPromotion() throws Exception {
        try (var laurel = LaurelInstance.start(scratch.resolve("data"))) {
            promoteUnderLoad(laurel);
            laurel.restart();
            assertAnswers(laurel);
            assertTotals(laurel);
        }
    }

    private void promoteUnderLoad(LaurelInstance laurel) throws Exception {
        try (var table = new GenerationTable(client(laurel), fault -> {
            throw new AssertionError(fault);
        })) {
            laurel.client().put("/admin/v1/ruleset", RULESET).expect(200);
            table.start();
            table.awaitCaughtUp(TABLE_PATIENCE);
            GenerationRecord promoted;
            try (var producer = new DirectProducer(laurel.bootstrapServers());
                    var traffic = Executors.newSingleThreadScheduledExecutor()) {
                send(producer, BEFORE);
                var sending = traffic.scheduleAtFixedRate(() -> send(producer, 20), 0, 100, TimeUnit.MILLISECONDS);
                promoted = promote(laurel, table);
                var check = new LogCheck(laurel.bootstrapServers());
                check.awaitCommitted(
                        promoted.generation().ledgerApplication(),
                        promoted.handover().stream().mapToLong(at -> at + 50).sum());
                traffic.shutdown();
                assertTrue(traffic.awaitTermination(1, TimeUnit.MINUTES), "the last events were not sent");
                assertEquals(Future.State.CANCELLED, sending.state());
            }
            assertAnswers(laurel);
            Awaitility.await().atMost(PATIENCE).until(() -> table.find(1).state() == GenerationRecord.State.OVER);
            String ledger = promoted.generation().ledgerApplication();
            new LogCheck(laurel.bootstrapServers()).awaitQuiet(ledger);
            assertTotals(laurel);
            assertEquals(List.of(), new TopicReader(laurel.bootstrapServers()).readAll("laurel.rejections"));
            assertPublishedOnce(laurel);
            assertStateIsTheFold(laurel, ledger);
        }
    }

    private static Map<String, Object> client(LaurelInstance laurel) {
        return Map.of("bootstrap.servers", laurel.bootstrapServers());
    }

    private synchronized void send(DirectProducer producer, int count) {
        for (int i = 0; i < count; i++) {
            String user = "user-" + events++ % USERS;
            producer.sendAside(user, Instant.now(), DirectProducer.event(user, "laps", "1"));
            sent.merge(user, 1, Integer::sum);
        }
        producer.flush();
    }

    private GenerationRecord promote(LaurelInstance laurel, GenerationTable table) throws InterruptedException {
        var promotion = new Generations(client(laurel), table, InstantSource.system());
        GenerationRecord claimed = promotion.claim(List.of());
        assertEquals(2, claimed.number());
        fold(laurel, claimed, "shadow");
        GenerationRecord followed = promotion.handToNodes(claimed);
        assertTrue(promotion.awaitFollowed(followed, PATIENCE), "nodes do not follow");
        return promotion.promote(followed);
    }

    private void fold(LaurelInstance laurel, GenerationRecord claimed, String folder) throws InterruptedException {
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(laurel.bootstrapServers()),
                scratch.resolve(folder),
                2,
                BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        try (var rulesets = new RulesetTable(client(laurel), fault -> {
            throw new AssertionError(fault);
        })) {
            rulesets.start();
            rulesets.awaitCaughtUp(TABLE_PATIENCE);
            try (var shadow = ShadowGeneration.start(config, claimed, true, rulesets, fault -> {
                throw new AssertionError(fault);
            })) {
                assertTrue(shadow.awaitCaughtUp(PATIENCE), "the shadow has not caught up");
            }
        }
    }

    /** Waiting clients get complete responses, including ranks. */
    private void assertAnswers(LaurelInstance laurel) {
        JsonResponse answer = laurel.client().record("user-0", "laps", "1").expect(201);
        sent.merge("user-0", 1, Integer::sum);
        assertFalse(answer.json().has("pending"), answer::text);
        assertTrue(answer.json().at("/leaderboards/laps/rank").asInt() > 0, answer::text);
    }

    private void assertTotals(LaurelInstance laurel) {
        sent.forEach((user, count) -> Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> {
                    JsonResponse points = laurel.client().get("/v1/users/" + user + "/points/gems");
                    return points.status() == 200 && points.json().get("total").asInt() == count;
                }));
    }

    /** Checks that each event had one effect and one webhook event. */
    private void assertPublishedOnce(LaurelInstance laurel) {
        var reader = new TopicReader(laurel.bootstrapServers());
        var awarded = new TreeMap<String, Integer>();
        for (ConsumerRecord<byte[], byte[]> record : reader.readAll("laurel.effects")) {
            JsonNode effect = JsonResponse.parse(new String(record.value(), UTF_8));
            if (effect.get("type").asString().startsWith("points")) {
                awarded.merge(new String(record.key(), UTF_8), 1, Integer::sum);
            }
        }
        assertEquals(sent, awarded);
        var outgoing = new ArrayList<String>();
        for (ConsumerRecord<byte[], byte[]> record : reader.readAll("laurel.outbox")) {
            outgoing.add(JsonResponse.parse(new String(record.value(), UTF_8))
                    .get("id")
                    .asString());
        }
        int all = sent.values().stream().mapToInt(Integer::intValue).sum();
        assertEquals(all, outgoing.size());
        assertEquals(all, new HashSet<>(outgoing).size());
    }

    private void assertStateIsTheFold(LaurelInstance laurel, String ledger) throws InterruptedException {
        Generation again = Generation.of(3);
        fold(laurel, GenerationRecord.claimed(again, List.of(), null), "again");
        for (String store : FoldIT.STORES) {
            Map<String, String> live = FoldIT.contents(laurel.bootstrapServers(), ledger, store);
            assertFalse(live.isEmpty() && store.equals("users"), "nothing lies in " + store);
            assertEquals(live, FoldIT.contents(laurel.bootstrapServers(), again.ledgerApplication(), store), store);
        }
    }
}
