package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Erasures of users, which delete everything stored about them. */
class EraseTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LATER = "2026-03-09T10:00:00Z";
    private static final String ERASE = "{\"type\":\"erase-user\",\"user\":{\"id\":\"ann\"}}";

    private static final String RULES = """
        metrics: {laps: {}}
        achievements: {ten: {trigger: metric, metric: laps, value: 10}}
        points: {gems: {triggers: {
          lap: {type: metric, metric: laps, threshold: 1, points: 1},
          daily: {type: time, timeUnit: days, timeInterval: 1, points: 1}}}}
        """;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first(RULES));

    @AutoClose
    private final LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    private int swim(String user, int laps, String key, String at) {
        return ledger.ask(
                        user,
                        "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user
                                + "\"},\"idempotencyKey\":\"" + key + "\"}",
                        at)
                .status();
    }

    private long completions() {
        return ledger.completionCount(
                TenantId.NONE, ruleset.achievements().getFirst().number());
    }

    @Test
    void shouldDeleteEverythingOfTheUserAndNothingOfOthers() {
        swim("anna", 12, "k", AT);
        swim("an", 12, "k", AT);
        Map<String, Map<String, String>> before = contentsOfUsers();
        swim("ann", 12, "k", AT);
        swim("ann", 3, "l", LATER);
        ledger.effects();
        var reply = ledger.ask("ann", ERASE, LATER);

        assertEquals(200, reply.status());
        assertEquals(before, contentsOfUsers());
        assertEquals(2, ledger.userCount(TenantId.NONE));
        assertEquals(2, completions());
        var effects = ledger.effects();
        assertEquals(1, effects.size());
        assertEquals("user.erased", effects.getFirst().get("type").asString());
    }

    /** Without counters, which name no user and keep what was counted. */
    private Map<String, Map<String, String>> contentsOfUsers() {
        var contents = new TreeMap<>(ledger.contents());
        contents.remove("counters");
        return contents;
    }

    @Test
    void shouldForgetOlderRunsOfLeaderboards() {
        var next = TestLeaderboard.next(
                ruleset,
                RULES,
                Instant.parse("2026-01-02T00:00:00Z"),
                TestLeaderboard.ofMetric(0xb0a4d, "laps").every(1, RunUnit.DAY));
        ledger.publish(published.add(next), "2026-01-02T00:00:00Z");
        swim("ann", 12, "k", AT);
        swim("ann", 3, "l", LATER);
        assertEquals(1, olderRuns("800b0a4d"));
        ledger.ask("ann", ERASE, LATER);

        assertEquals(0, ledger.contents().get("metric-days").size());
    }

    /** @param number of the leaderboard, as keys have it */
    private long olderRuns(String number) {
        return ledger.contents().get("metric-days").keySet().stream()
                .filter(key -> key.contains(number))
                .count();
    }

    @Test
    void shouldEraseMoreEntriesThanOnePortion() {
        for (int i = 0; i < 2_500; i++) {
            swim("ann", 1, "key-" + i, AT);
        }
        ledger.ask("ann", ERASE, LATER);

        assertEquals(0, ledger.contents().get("idempotency-keys").size());
    }

    @Test
    void shouldKnowNothingOfTheFormerUserAfterwards() {
        swim("ann", 12, "k", AT);
        assertEquals(202, swim("ann", 12, "k", AT));
        ledger.ask("ann", ERASE, LATER);

        assertEquals(201, swim("ann", 11, "k", LATER));
        assertEquals(1, ledger.userCount(TenantId.NONE));
        assertEquals(1, completions());
        try (var other = new LedgerDriver(published)) {
            other.publish(ruleset, "2026-01-01T00:00:00Z");
            other.ask(
                    "ann",
                    "{\"type\":\"event\",\"metric\":\"laps\",\"value\":11,\"user\":{\"id\":\"ann\"},"
                            + "\"idempotencyKey\":\"k\"}",
                    LATER);
            for (String store : List.of("users", "metric-days", "timers", "partition-state")) {
                assertEquals(other.contents().get(store), ledger.contents().get(store), store);
            }
        }
    }

    @Test
    void shouldRefuseToEraseAnUnknownUser() {
        var reply = ledger.ask("ann", ERASE, AT);

        assertEquals(404, reply.status());
        assertTrue(ledger.effects().isEmpty());
    }
}
