package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.gateway.GatewayConfig;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Tests changes of the rules on a separate instance. Each story sets the whole ruleset, so they may run in any order;
 * the users of a story cover every partition.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RulesetStoriesIT {

    private static final String PATH = "/admin/v1/ruleset";
    private static final int USERS = 16;
    private static final int EDITORS = 10;
    private static final int EDITS = Boolean.getBoolean("laurel.full") ? 500 : 100;
    private static final Logger LOG = LoggerFactory.getLogger(RulesetStoriesIT.class);

    @AutoClose
    private LaurelInstance instance;

    private LaurelClient laurel;

    @BeforeAll
    void start() throws InterruptedException {
        instance = LaurelInstance.start();
        laurel = instance.client();
        laurel.event("laps-swum").of("early").value("1").send().expectError(404);
        assertFalse(laurel.user("early").exists());
    }

    /** After each edit one of the users returns. {@code -Dlaurel.versions.edits=10000} makes more. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldReadEarlierVersions() throws Exception {
        int edits = Integer.getInteger("laurel.versions.edits", 20);
        int users = Math.min(1_000, edits);
        int[] events = new int[users];
        var random = new Random(1);
        var documents = new TreeMap<Long, String>();
        long returnsNs = 0;
        for (int i = 0; i < edits; i++) {
            laurel.put(PATH, "{\"metrics\": {\"archived-laps\": {\"name\": \"Laps " + i + "\"}}}")
                    .expect(200);
            if (i % (1 + edits / 50) == 0) {
                JsonResponse document = laurel.get(PATH).expect(200);
                documents.put(Long.parseLong(document.header("X-Laurel-Ruleset-Version")), document.text());
            }
            int user = random.nextInt(users);
            long startedNs = System.nanoTime();
            JsonResponse event = laurel.record("away-" + user, "archived-laps", "1");
            returnsNs += System.nanoTime() - startedNs;
            assertEquals(++events[user], event.at("/total").intValue());
        }
        long first = documents.firstKey();
        System.out.printf("%,d edits: an event of a user takes %.1f ms%n", edits, returnsNs / 1e6 / edits);

        for (var document : documents.entrySet()) {
            assertEquals(
                    document.getValue(),
                    laurel.get(PATH + "/versions/" + document.getKey())
                            .expect(200)
                            .text());
        }
        assertEquals(
                Math.min(100, first + edits - 1),
                laurel.get(PATH + "/history?limit=100").expect(200).json().size());
        String diff = laurel.get(PATH + "/diff?from=" + first + "&to=" + (first + 1))
                .expect(200)
                .text();
        assertTrue(diff.contains("Laps 0") && diff.contains("Laps 1"), diff);
        laurel.post(PATH + "/rollback", "{\"version\":" + first + "}").expect(200);
        assertEquals(documents.get(first), laurel.get(PATH).text());
        laurel.get(PATH + "/versions/" + (first + edits + 1)).expectError(404);
        for (int user = 0; user < users; user++) {
            int total = laurel.record("away-" + user, "archived-laps", "1")
                    .at("/total")
                    .intValue();
            assertEquals(events[user] + 1, total);
        }
    }

    @Test
    void shouldBeConfiguredWithoutAFile() {
        String before = laurel.get(PATH).header("X-Laurel-Ruleset-Version");
        String metric = created("/admin/v1/metrics", "{\"name\":\"Strokes\",\"key\":\"strokes\"}");
        String pool = created("/admin/v1/attributes", "{\"name\":\"Pool\",\"key\":\"story-pool\",\"type\":\"user\"}");
        String system = created("/admin/v1/points", "{\"name\":\"Pearls\",\"key\":\"pearls\"}");
        created(
                "/admin/v1/points/" + system + "/triggers",
                "{\"type\":\"metric\",\"metricId\":\"" + metric
                        + "\",\"metricThreshold\":10,\"points\":3,\"status\":\"active\"}");
        String achievement = created(
                "/admin/v1/achievements",
                "{\"name\":\"Twenty\",\"trigger\":\"metric\"," + "\"metricId\":\"" + metric
                        + "\",\"metricValue\":20,\"status\":\"active\"}");
        created(
                "/admin/v1/leaderboards",
                "{\"name\":\"Fast\",\"key\":\"fast\",\"rankBy\":\"metric\",\"metricId\":\"" + metric
                        + "\",\"status\":\"active\",\"breakdownAttributes\":[\"" + pool + "\"]}");
        laurel.patch("/admin/v1/streaks/settings", "{\"metrics\":[{\"metricId\":\"" + metric + "\",\"threshold\":5}]}")
                .expect(200);

        JsonResponse event = laurel.post(
                        "/v1/metrics/strokes/event",
                        "{\"value\":25,\"user\":{\"id\":\"story-1\",\"attributes\":{\"story-pool\":\"50m\"}}}")
                .expect(201);

        assertEquals(6, event.at("/points/pearls/added").intValue());
        assertEquals(achievement, event.at("/achievements/0/id").stringValue());
        assertEquals(1, event.at("/leaderboards/fast/rank").intValue());
        assertEquals(1, event.at("/currentStreak/length").intValue());
        assertEquals(
                1,
                laurel.get("/admin/v1/achievements/" + achievement)
                        .at("/completions")
                        .intValue());
        assertEquals(
                1,
                laurel.patch("/admin/v1/achievements", "[{\"id\":\"" + achievement + "\"}]")
                        .expect(200)
                        .at("/updated/0/completions")
                        .intValue());
        laurel.get("/admin/v1/streaks/settings").expect(200);
        JsonResponse diff = laurel.get(PATH + "/diff?from=" + before).expect(200);
        assertTrue(diff.text().contains("/metrics/strokes"), diff.text());
        assertEquals(
                "metric 'strokes'",
                laurel.get(PATH + "/history?limit=1&skip=6")
                        .at("/0/objects/0/object")
                        .stringValue());

        laurel.post(PATH + "/rollback", "{\"version\":" + before + "}").expect(200);
        laurel.event("strokes").of("story-1").value("1").send().expectError(404);
        laurel.post(PATH + "/rollback", "{\"version\":9999}").expectError(404);
    }

    @Test
    void shouldLetToolsFindTheInstanceByItsDataFolder() {
        for (String[] tool :
                new String[][] {{"report", "history"}, {"topics", "describe"}, {"doctor", "--read-only"}}) {
            var arguments = new ArrayList<>(List.of(tool));
            arguments.addAll(List.of("--data-dir", instance.dataDir().toString()));
            CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
            assertEquals(0, run.exitCode(), run.err());
        }
    }

    private String created(String path, String item) {
        return laurel.post(path, "[" + item + "]")
                .expect(201)
                .at("/created/0/id")
                .stringValue();
    }

    /** A webhook and channels, configured without a file; no document contains their secrets. */
    @Test
    void shouldKeepSecretsBesideTheRuleset() {
        laurel.put(PATH, "{}").expect(200);
        JsonResponse created = laurel.post("/admin/v1/webhooks", """
            [{"name": "CRM", "url": "https://crm.example/in", "events": ["streak.lost"]}, {"name": "?"}]\
            """).expect(201);
        String webhook = "/admin/v1/webhooks/" + created.at("/created/0/id").asString();
        String secret = created.at("/created/0/secret").asString();
        laurel.patch("/admin/v1/notifications/channels", """
            {"email": {"from": "team@pool.example", "smtpUrl": "smtps://u:hush@mail.example:465"}}\
            """).expect(200);
        JsonResponse settings = laurel.patch("/admin/v1/notifications/settings", "{\"recapPeriod\": \"daily\"}")
                .expect(200);

        assertTrue(secret.matches("whsec_[0-9a-f]{64}"), secret);
        assertEquals(1, created.at("/issues/0/index").intValue());
        assertFalse(laurel.get(webhook).expect(200).text().contains("whsec_"));
        assertEquals(
                secret,
                laurel.get(webhook + "/secret").expect(200).at("/secret").asString());
        JsonResponse channels = laurel.get("/admin/v1/notifications/channels").expect(200);
        assertTrue(channels.at("/email/smtpConfigured").booleanValue());
        assertFalse(channels.text().contains("hush"));
        assertEquals(
                settings.text(),
                laurel.get("/admin/v1/notifications/settings").expect(200).text());
        String exported = laurel.get(PATH).expect(200).text();
        assertTrue(exported.contains("https://crm.example/in"), exported);
        assertFalse(exported.contains("whsec_") || exported.contains("hush"), exported);

        String rotated = laurel.post(webhook + "/rotate-secret", "")
                .expect(200)
                .at("/secret")
                .asString();
        assertFalse(secret.equals(rotated));
        assertEquals(
                rotated,
                laurel.get(webhook + "/secret").expect(200).at("/secret").asString());
        laurel.put(PATH, "{}").expect(200);
        laurel.get(webhook + "/secret").expectError(404);
    }

    @Test
    void shouldApplyNewRulesToTheNextEvent() throws Exception {
        for (int points = 1; points <= 5; points++) {
            laurel.put(PATH, """
                {"metrics": {"steps": {}, "steps-%d": {}},
                 "points": {"xp": {"triggers": {"per-step":
                   {"type": "metric", "metric": "steps-%d", "threshold": 1, "points": %d}}}}}\
                """.formatted(points, points, points)).expect(200);
            int expected = points;
            Concurrently.run(IntStream.range(0, USERS)
                    .<Callable<Void>>mapToObj(user -> () -> {
                        JsonNode event = laurel.record("next-" + user, "steps-" + expected, "1")
                                .json();
                        assertEquals(
                                expected,
                                event.get("points").get("xp").get("added").longValue());
                        return null;
                    })
                    .toList());
        }

        assertEquals(1 + 2 + 3 + 4 + 5, laurel.user("next-0").pointsTotal("xp"));
    }

    @Test
    void shouldKeepAllConcurrentEdits() throws Exception {
        String body = laurel.put(PATH, """
            {"metrics": {"counted": {}}, "points": {"many": {}}}\
            """).expect(200).text();
        assertTrue(body.contains("version"), body);
        String systems = "/admin/v1/points";
        String system = laurel.get(systems).expect(200).at("/0/id").stringValue();
        long startedNs = System.nanoTime();
        // Each client sends its next edit after the response to the previous one.
        Concurrently.run(IntStream.range(0, EDITORS)
                .<Callable<Void>>mapToObj(client -> () -> {
                    for (int i = 0; i < EDITS / EDITORS; i++) {
                        int points = client * EDITS / EDITORS + i;
                        String key = "level-" + points;
                        String path = i % 2 == 0 ? systems + "/" + system + "/levels" : "/admin/v1/metrics";
                        String created = laurel.post(
                                        path,
                                        "[{\"name\": \"%s\", \"key\": \"%s\", \"points\": %d}]"
                                                .formatted(key, key, points))
                                .expect(201)
                                .at("/created/0/key")
                                .stringValue();
                        assertEquals(key, created);
                    }
                    return null;
                })
                .toList());
        LOG.info("{} edits by {} clients in {} ms", EDITS, EDITORS, (System.nanoTime() - startedNs) / 1_000_000);

        JsonNode ruleset = laurel.get(PATH).expect(200).json();
        assertEquals(EDITS / 2, ruleset.at("/points/many/levels").size());
        assertEquals(1 + EDITS / 2, ruleset.at("/metrics").size());
        assertEquals(
                BigDecimal.ONE,
                laurel.record("edits-1", "level-" + (EDITS - 1), "1").number("/total"));
    }

    @Test
    void shouldApplyAnAcknowledgedEditAtEveryGateway() throws Exception {
        laurel.put(PATH, "{\"metrics\": {\"old\": {}}}").expect(200);
        try (ExtraGateway other = ExtraGateway.start(instance, GatewayConfig.Limits.DEFAULT)) {
            for (int i = 0; i < 20; i++) {
                String key = "fresh-" + i;
                laurel.post("/admin/v1/metrics", "[{\"name\": \"%s\", \"key\": \"%s\"}]".formatted(key, key))
                        .expect(201);
                other.client().event(key).of("fresh-user").value("1").send().expect(201);

                String answered = key + "-too";
                other.client()
                        .post(
                                "/admin/v1/metrics",
                                "[{\"name\": \"%s\", \"key\": \"%s\"}]".formatted(answered, answered))
                        .expect(201);
                laurel.get("/v1/users/fresh-user/metrics/" + answered).expect(200);
            }
            other.client().event("never").of("fresh-user").value("1").send().expectError(404);
        }
    }
}
