package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Compares all readable results of a drill with the responses of its load. */
final class DrillCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final DrillLoad load;
    private final String kafka;
    private final String ledger;
    private final TopicReader topics;

    /** @param ledger the ledger application in force */
    DrillCheck(DrillLoad load, String kafka, String ledger) {
        this.ledger = ledger;
        this.load = load;
        this.kafka = kafka;
        this.topics = new TopicReader(kafka);
    }

    /** @param nodes nodes that must all show the same */
    void assertExact(List<LaurelClient> nodes) {
        new LogCheck(kafka).awaitProcessed(ledger);
        assertEquals(List.of(), topics.readAll("laurel.rejections"), "nothing was to be refused");
        ExpectedRankings truth = ExpectedRankings.of(kafka);
        int accepted = 0;
        for (int user = 0; user < DrillLoad.USERS; user++) {
            accepted += load.events(user);
            assertEquals(
                    0,
                    truth.total(DrillLoad.name(user)).compareTo(BigDecimal.valueOf(load.total(user))),
                    DrillLoad.name(user) + " in the log");
        }
        assertEquals(accepted, truth.events(), "events in the log, each key once");
        for (LaurelClient node : nodes) {
            for (int user = 0; user < DrillLoad.USERS; user++) {
                assertUserIsExact(node, user);
            }
            // Leaderboards lag behind the ledger.
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertEquals(
                            truth.ranked(null, DrillLoad.USERS),
                            node.get("/v1/leaderboards/lanes?limit=" + DrillLoad.USERS)
                                    .expect(200)
                                    .at("/rankings")
                                    .valueStream()
                                    .map(DrillCheck::line)
                                    .toList(),
                            "the leaderboard"));
        }
        assertEffectsAddUp();
    }

    private static String line(JsonNode place) {
        return ExpectedRankings.line(
                place.get("rank").intValue(),
                place.get("userId").stringValue(),
                place.get("value").decimalValue());
    }

    private void assertUserIsExact(LaurelClient node, int user) {
        String name = DrillLoad.name(user);
        var seen = new Object() {
            private JsonNode export;
        };
        // A node may still take over a partition; it answers from its own stores or not at all.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> seen.export = node.get("/admin/v1/users/" + name + "/export")
                        .expect(200)
                        .json());
        JsonNode metric = seen.export.get("metrics").get(0);
        assertEquals(load.total(user), metric.get("total").intValue(), name);
        JsonNode points = seen.export.get("points").get(0);
        assertEquals(load.total(user), points.get("total").intValue(), name + "'s points");
        assertEquals(
                load.total(user),
                points.get("awards")
                        .valueStream()
                        .mapToInt(award -> award.get("awarded").intValue())
                        .sum(),
                name + "'s points by the ledger");
        assertEquals(load.events(user), points.get("awards").size(), name + "'s awards, one for each event");
        assertEquals(load.events(user), seen.export.get("idempotencyKeys").size(), name + "'s keys");
    }

    /** Checks the committed effects: one per event, each with one award. */
    private void assertEffectsAddUp() {
        var awards = new HashSet<String>();
        var sums = new HashMap<String, Integer>();
        var counts = new HashMap<String, Integer>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readAll("laurel.effects")) {
            JsonNode effect = JsonResponse.parse(new String(record.value(), UTF_8));
            if (effect.get("type").stringValue().equals("points.changed")) {
                JsonNode award = effect.get("awards").get(0);
                assertEquals(1, effect.get("awards").size(), effect::toString);
                assertTrue(awards.add(award.get("id").stringValue()), () -> "an award came twice: " + effect);
                String user = new String(record.key(), UTF_8);
                sums.merge(user, award.get("awarded").intValue(), Integer::sum);
                counts.merge(user, 1, Integer::sum);
            }
        }
        for (int user = 0; user < DrillLoad.USERS; user++) {
            String name = DrillLoad.name(user);
            assertEquals(
                    Map.of(load.events(user), load.total(user)),
                    Map.of(counts.getOrDefault(name, 0), sums.getOrDefault(name, 0)),
                    name + "'s effects");
        }
    }
}
