package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import dev.laurel.platform.command.CommandFailed;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that a restart on the same data directory keeps everything, and that one with virtual time is refused. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RestartIT {

    private static final List<String> USERS = List.of("ada", "bo", "cy", "di", "eve", "fay", "gus", "hal");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String APPLICATION_KEYS = "/admin/v1/application-api-keys";
    private static final String TEST_CLOCK = "/admin/v1/test-clock";

    @TempDir
    private Path dataDir;

    @Test
    void shouldKeepItsStateAcrossARestart() throws InterruptedException {
        try (LaurelInstance instance = LaurelInstance.start(dataDir)) {
            instance.client().put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
            sendHistory(instance);
            awaitRarity(instance, 8, "12.5");
            awaitRanks(instance);
            JsonResponse first = instance.client()
                    .event("dives")
                    .of("ada")
                    .value("1")
                    .key("k")
                    .send()
                    .expect(201);
            awaitFirstDive(instance);
            String pause = planPause(instance.client());
            JsonResponse made = instance.client()
                    .post(APPLICATION_KEYS, "[{\"userId\": \"bo\"}, {\"userId\": \"cy\"}]")
                    .expect(201);
            instance.client()
                    .delete(APPLICATION_KEYS + "?ids=" + made.string("/created/0/id"))
                    .expect(200);
            Map<String, String> before = reads(instance.client());
            String ruleset = instance.client().get("/admin/v1/ruleset").text();
            String key = instance.adminKey();
            String audit = instance.client().get("/admin/v1/audit").expect(200).text();

            long tookMs = instance.restart();

            System.out.printf("A restart on the same data directory took %d ms.%n", tookMs);
            LaurelClient laurel = instance.client();
            laurel.get("/readyz").expect(200);
            assertEquals(key, instance.adminKey());
            assertEquals(before, reads(laurel));
            assertEquals(ruleset, laurel.get("/admin/v1/ruleset").text());
            assertEquals(audit, laurel.get("/admin/v1/audit").expect(200).text());
            assertEquals(
                    4,
                    laurel.get("/admin/v1/audit").json().size(),
                    "the ruleset, the pause, the keys made and revoked");
            laurel.withKey(made.string("/created/0/key")).get("/v1/users/bo").expectError(401);
            laurel.withKey(made.string("/created/1/key")).get("/v1/users/cy").expect(200);
            laurel.withKey(made.string("/created/1/key")).get("/v1/users/bo").expectError(403);
            assertEquals(
                    made.string("/created/1/id"), laurel.get(APPLICATION_KEYS).string("/0/id"));
            assertEquals(
                    first.at("/eventId"),
                    laurel.event("dives")
                            .of("ada")
                            .value("1")
                            .key("k")
                            .send()
                            .expect(202)
                            .at("/eventId"));
            assertEquals(
                    pause,
                    laurel.delete("/admin/v1/streaks/pauses?ids=" + pause).string("/deleted/0/id"));
            assertEquals("archived", laurel.get("/admin/v1/streaks/pauses").string("/0/status"));
            goOn(instance);
            laurel.get(TEST_CLOCK).expect(404);
            laurel.post(TEST_CLOCK, "{\"advance\":\"PT1H\"}").expect(404);
        }
        StandaloneSettings virtual = StandaloneSettings.onFreePorts(new DataDir(dataDir), null, 1, true);
        String refusal = assertThrows(CommandFailed.class, () -> Standalone.start(virtual))
                .getMessage();
        assertTrue(refusal.contains("start without --test-clock"), refusal);
    }

    private static String planPause(LaurelClient laurel) {
        return laurel.post(
                        "/admin/v1/streaks/pauses",
                        "{\"pauses\": [{\"userId\": \"bo\", \"start\": \"2999-07-05\", \"end\": \"2999-07-18\"}]}")
                .expect(201)
                .string("/created/0/id");
    }

    /** One user of eight reaches forty laps; some users have events on several days. */
    private static void sendHistory(LaurelInstance instance) {
        String zone = "{\"tz\": \"" + SwimClub.zoneWhereItIsNoon() + "\"}";
        USERS.forEach(user -> instance.client().put("/v1/users/" + user, zone).expect(200));
        try (var log = new DirectProducer(instance.bootstrapServers())) {
            for (int daysAgo = 3; daysAgo > 0; daysAgo--) {
                log.event("ada", Instant.now().minus(Duration.ofDays(daysAgo)), "laps-swum", "10.5");
            }
        }
        for (String user : USERS) {
            instance.client()
                    .event("laps-swum")
                    .of(user)
                    .with("attributes", "{\"city\": \"Turku\"}")
                    .value("9.25")
                    .send()
                    .expect(201);
        }
    }

    private static void awaitRarity(LaurelInstance instance, int users, String rarity) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode fortyLaps = instance.client().user("ada").achievements().get(0);
            assertEquals("Forty laps", fortyLaps.get("name").stringValue());
            assertEquals(1, fortyLaps.get("completions").longValue(), "of " + users);
            assertEquals(new BigDecimal(rarity), fortyLaps.get("rarity").decimalValue());
        });
    }

    /** Waits until the counts, which follow events, have the one user with a dive. */
    private static void awaitFirstDive(LaurelInstance instance) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            for (String user : USERS) {
                for (JsonNode achievement : instance.client().user(user).achievements()) {
                    if (achievement.path("metricName").asString("").equals("dives")) {
                        assertEquals(1, achievement.get("completions").longValue(), user);
                    }
                }
            }
        });
    }

    /** Waits until each user's rank knows the streaks of the others. */
    private static void awaitRanks(LaurelInstance instance) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            for (String user : USERS) {
                assertEquals(
                        user.equals("ada") ? 1 : 2,
                        instance.client().user(user).streak(1).get("rank").intValue(),
                        user);
            }
        });
    }

    private static Map<String, String> reads(LaurelClient laurel) {
        var reads = new LinkedHashMap<String, String>();
        USERS.forEach(user -> reads.put(
                user, laurel.user(user).everything() + laurel.user(user).achievements()));
        return reads;
    }

    private static void goOn(LaurelInstance instance) {
        assertEquals(new BigDecimal("40.75"), instance.client().user("ada").total("laps-swum"));
        assertEquals(4, instance.client().user("ada").streak(1).get("length").intValue());
        for (String user : USERS) {
            JsonResponse answer = instance.client().record(user, "laps-swum", "0.75");
            assertEquals(new BigDecimal(user.equals("ada") ? "41.5" : "10"), answer.number("/total"));
            assertEquals(
                    user.equals("ada") ? 0 : 20,
                    answer.json().at("/points/gems/added").asLong(0));
        }
        instance.client().record("newcomer", "laps-swum", "1");
        awaitRarity(instance, 9, "11.11");
    }
}
