package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One partition of the log, through the real topology. */
class CommandProcessorTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LAPS = """
        {"type":"event","metric":"laps","value":4,"user":{"id":"ann"}}\
        """;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("""
        metrics: {laps: {}}
        achievements: {ten: {trigger: metric, metric: laps, value: 10}}
        """));

    @AutoClose
    private LedgerDriver ledger;

    private Map<String, Map<String, String>> before;

    @BeforeEach
    void publishRules() {
        ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
        before = ledger.contents();
    }

    @Test
    void shouldRejectAKeyOfAnotherPartition() {
        try (var first = new LedgerDriver(published, 50)) {
            first.publish(ruleset, "2026-01-01T00:00:00Z");
            String here = keyIn(0, 50);
            String elsewhere = keyIn(7, 50);
            first.produce(elsewhere, LAPS.replace("ann", elsewhere), AT);
            first.produce(here, LAPS.replace("ann", here), AT);

            JsonNode rejection = first.rejections().getFirst();
            assertTrue(rejection.get("reason").asString().contains("its key belongs to 7"), rejection.toString());
            assertNull(first.reader().user(elsewhere.getBytes(UTF_8)));
            assertEquals(1, first.reader().user(here.getBytes(UTF_8)).sequence());
        }
    }

    private static String keyIn(int partition, int partitions) {
        for (int i = 0; ; i++) {
            if (new LogLayout(partitions).partitionOf(("user-" + i).getBytes(UTF_8)) == partition) {
                return "user-" + i;
            }
        }
    }

    @Test
    void shouldAnswerARefusalToTheWaitingClient() {
        var reply = ledger.ask("ann", LAPS.replace("laps", "lapz"), AT);

        assertEquals(404, reply.status());
        assertEquals("Unknown metric: lapz.", reply.body().get("error").asString());
        assertEquals(List.of(), ledger.rejections());
        assertEquals(before, ledger.contents());
    }

    @Test
    void shouldContinueWithoutAnAnswerThatIsTooLarge() {
        String name = "n".repeat(255);
        String boosts = IntStream.range(0, 200)
                .mapToObj(i -> "b" + i + ": {name: " + name + ", start: 2026-01-01, multiplier: 1.01}")
                .collect(Collectors.joining(", "));
        String triggers = IntStream.range(0, 60)
                .mapToObj(i -> "t" + i + ": {type: metric, metric: laps, threshold: 1, points: 1}")
                .collect(Collectors.joining(", "));
        ledger.publish(
                published.add(TestRulesets.next(
                        ruleset,
                        "{metrics: {laps: {}}, points: {xp: {boosts: {" + boosts + "}, triggers: {" + triggers + "}}}}",
                        Instant.parse(AT))),
                AT);

        assertNull(ledger.ask("ann", LAPS, AT));
        assertEquals(
                BigDecimal.valueOf(4),
                ledger.reader().user("ann".getBytes(UTF_8)).metrics().valueAt(0).total());
    }

    @Test
    void shouldAnswerUnreadableInputToTheWaitingClient() {
        assertEquals(400, ledger.ask("ann", "{", AT).status());
        assertEquals(422, ledger.ask("ann", "{\"type\":\"dance\"}", AT).status());
    }

    @Test
    void shouldShowTheCurrentPeriodToARepeatedKey() {
        String keyed = LAPS.replace("}}", "},\"idempotencyKey\":\"k\"}");
        ledger.ask("ann", keyed, AT);
        var repeated = ledger.ask("ann", keyed, "2026-03-05T10:00:00Z");

        assertEquals(202, repeated.status());
        assertEquals(
                "2026-03-05",
                repeated.body().get("currentStreak").get("periodStart").asString());
        assertEquals(
                "2026-03-05",
                repeated.body().get("currentStreak").get("expires").asString());
    }

    @Test
    void shouldCountUsersAndCompletions() {
        int achievement = ruleset.achievements().getFirst().number();
        for (String user : List.of("ann", "bea", "ann", "cy", "bea")) {
            ledger.produce(user, LAPS.replace("ann", user).replace(":4", ":9"), AT);
        }

        assertEquals(3, ledger.userCount(TenantId.NONE));
        assertEquals(2, ledger.completionCount(TenantId.NONE, achievement));
        assertEquals(0, ledger.userCount(new TenantId("acme")));
    }

    @Test
    void shouldKeepTenantsApart() {
        var theirs = published.add(new Ruleset(
                new TenantId("acme"),
                1,
                ruleset.published(),
                ruleset.nextNumber(),
                ruleset.metrics(),
                ruleset.attributes(),
                ruleset.achievements(),
                ruleset.streak(),
                ruleset.pointsSystems(),
                ruleset.leaderboards(),
                ruleset.settings(),
                ruleset.webhooks(),
                ruleset.notifications(),
                ruleset.retired(),
                null,
                null));
        ledger.publish(theirs, AT);
        ledger.produce("ann", LAPS, AT);
        ledger.produce("acme/ann", LAPS.replace(":4", ":9"), AT);
        ledger.produce("other/ann", LAPS, AT);

        assertEquals(1, ledger.userCount(TenantId.NONE));
        assertEquals(1, ledger.userCount(new TenantId("acme")));
        assertTrue(ledger.rejections().getFirst().get("reason").asString().contains("Unknown metric"));
    }

    @Test
    void shouldApplyARulesetFromItsMarkerOn() {
        var next = published.add(TestRulesets.next(ruleset, "metrics: {laps: {}, litres: {}}", Instant.EPOCH));
        String litres = LAPS.replace("laps", "litres");
        assertEquals(404, ledger.ask("ann", litres, AT).status());
        ledger.publish(next, AT);

        assertEquals(201, ledger.ask("ann", litres, AT).status());
        assertEquals(2, ledger.rulesetVersion(TenantId.NONE));
    }
}
