package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Changes of the rules, on an instance of their own. Each story says the whole ruleset anew, so they may run in any order;
 * the users of one are enough to lie in every partition.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RulesetStoriesIT {

    private static final String PATH = "/admin/v1/ruleset";
    private static final int USERS = 16;

    @TempDir
    private static Path dataDir;

    private LaurelInstance instance;
    private LaurelClient laurel;

    @BeforeAll
    void start() throws InterruptedException {
        instance = LaurelInstance.start(dataDir);
        laurel = instance.client();
        laurel.event("laps-swum").of("early").value("1").send().expectError(404);
        assertFalse(laurel.user("early").exists());
    }

    @AfterAll
    void stop() {
        instance.close();
    }

    @Test
    void shouldAnswerWithVersion() {
        Answer applied = laurel.put(PATH, "{\"metrics\": {\"versioned-laps\": {}}}").expect(200);

        Shape.assertObject(applied.json(), "version int", "changed bool", "issues list");
        assertTrue(applied.at("/changed").booleanValue());
        assertEquals(applied.at("/version").toString(), laurel.get(PATH).header("X-Laurel-Ruleset-Version"));
    }

    @Test
    void shouldMakeNoVersionOfWhatItSaysAlready() {
        Answer first = laurel.put(PATH, SwimClub.RULESET).expect(200);
        String exported = laurel.get(PATH).expect(200).text();

        Answer again = laurel.put(PATH, SwimClub.RULESET).expect(200);
        Answer own = laurel.put(PATH, exported).expect(200);

        assertFalse(again.at("/changed").booleanValue());
        assertFalse(own.at("/changed").booleanValue());
        assertEquals(first.at("/version"), own.at("/version"));
        assertEquals(exported, laurel.get(PATH).text());
    }

    @Test
    void shouldJudgeVeryNextEventByNewRules() throws Exception {
        for (int points = 1; points <= 5; points++) {
            laurel.put(PATH, """
                    {"metrics": {"steps": {}, "steps-%d": {}},
                     "points": {"xp": {"triggers": {"per-step":
                       {"type": "metric", "metric": "steps-%d", "threshold": 1, "points": %d}}}}}"""
                    .formatted(points, points, points)).expect(200);
            int expected = points;
            Together.run(IntStream.range(0, USERS).<Callable<Void>>mapToObj(user -> () -> {
                JsonNode event = laurel.record("next-" + user, "steps-" + expected, "1").json();
                assertEquals(expected, event.get("points").get("xp").get("added").longValue());
                return null;
            }).toList());
        }

        assertEquals(1 + 2 + 3 + 4 + 5, laurel.user("next-0").pointsTotal("xp"));
    }

    @Test
    void shouldRefuseVeryNextEventOfMetricThatIsGone() {
        laurel.put(PATH, "{\"metrics\": {\"rows\": {}, \"gone\": {}}}").expect(200);
        laurel.record("gone-1", "gone", "5");

        laurel.put(PATH, "{\"metrics\": {\"rows\": {}}}").expect(200);
        for (int user = 0; user < USERS; user++) {
            laurel.event("gone").of("gone-" + user).value("1").send().expectError(404);
        }
        assertFalse(laurel.user("gone-2").exists());

        laurel.put(PATH, "{\"metrics\": {\"rows\": {}, \"gone\": {}}}").expect(200);
        assertEquals(BigDecimal.valueOf(6), laurel.record("gone-1", "gone", "1").number("/total"));
    }

    @Test
    void shouldStartNewTriggerUnpaidForThePast() {
        String metrics = "{\"metrics\": {\"miles\": {}}";
        laurel.put(PATH, metrics + "}").expect(200);
        laurel.record("late-1", "miles", "25");

        laurel.put(PATH, metrics + ", \"points\": {\"xp\": {\"triggers\": {\"per-ten\": {\"type\": \"metric\", "
                + "\"metric\": \"miles\", \"threshold\": 10, \"points\": 7}}}}}").expect(200);
        assertEquals(0, laurel.user("late-1").pointsTotal("xp"));
        assertEquals(0, laurel.record("late-1", "miles", "1").at("/points").size());

        assertEquals(7, laurel.record("late-1", "miles", "4").at("/points/xp/added").longValue());
    }

    @Test
    void shouldNameEveryIssueOfInvalidRulesetAndKeepTheOldOne() {
        laurel.put(PATH, SwimClub.RULESET).expect(200);
        String before = laurel.get(PATH).text();

        Answer refused = laurel
                .put(PATH,
                        """
                                {"metrics": {"bad key": {}, "laps": {}},
                                 "points": {"xp": {"triggers": {"t": {"type": "metric", "metric": "nope", "threshold": 0, "points": 0}}}},
                                 "streak": {"frequency": "hourly"}}""")
                .expect(422);

        Shape.assertObject(refused.json(), "error str", "issues list");
        List<String> paths = refused.at("/issues").valueStream().map(issue -> issue.get("path").stringValue()).toList();
        assertEquals(List.of("/metrics/bad key", "/points/xp/triggers/t/metric", "/points/xp/triggers/t/threshold",
                "/points/xp/triggers/t/points", "/streak/frequency"), paths);
        assertEquals(before, laurel.get(PATH).text());
        laurel.record("valid-1", "laps-swum", "1");
    }

    @Test
    void shouldRefuseRulesetThatIsNone() {
        for (String body : List.of("", "[]", "{", "7")) {
            laurel.put(PATH, body).expectError(400);
        }
        laurel.put(PATH, "{\"metrics\": []}").expectError(422);
    }
}
