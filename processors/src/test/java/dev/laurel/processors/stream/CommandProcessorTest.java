package dev.laurel.processors.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Input that is no command is put aside with its place and a reason, and the partition goes on. */
class CommandProcessorTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LAPS = """
            {"type":"event","metric":"laps","value":4,"user":{"id":"ann"}}""";

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("""
            metrics: {laps: {}}
            achievements: {ten: {trigger: metric, metric: laps, value: 10}}
            """));
    private LedgerDriver ledger;
    private Map<String, Map<String, String>> before;

    @BeforeEach
    void publishRules() {
        ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
        before = ledger.contents();
    }

    @AfterEach
    void closeLedger() {
        ledger.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"not JSON | {\"type\": | Not valid JSON", "empty | '' | JSON object is expected",
            "an array | [] | JSON object is expected", "no type | {} | type is required",
            "unknown type | {\"type\":\"dance\"} | must be one of",
            "no user | {\"type\":\"event\",\"metric\":\"laps\",\"value\":1} | user is required",
            "no value | {\"type\":\"event\",\"metric\":\"laps\",\"user\":{\"id\":\"ann\"}} | value is required",
            "unknown metric | {\"type\":\"event\",\"metric\":\"lapz\",\"value\":1,\"user\":{\"id\":\"ann\"}} | Unknown metric: lapz",
            "another's id | {\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"bea\"}} | does not name the same user",
            "bad zone | {\"type\":\"identify\",\"user\":{\"id\":\"ann\",\"tz\":\"Mars/Base\"}} | IANA time zone",
            "must exist | {\"type\":\"identify\",\"mustExist\":true,\"user\":{\"id\":\"ann\"}} | Unknown user: ann"})
    void shouldPutAsideWithAReason(String what, String value, String reason) {
        ledger.produce("ann", value, AT);

        assertRejectedAndGoesOn(reason);
    }

    @Test
    void shouldPutAsideARecordWithoutValue() {
        ledger.produce("ann", null, AT);

        assertRejectedAndGoesOn("the record has no value");
    }

    @Test
    void shouldPutAsideAUserCommandWithoutKey() {
        ledger.produce(null, LAPS, AT);

        assertRejectedAndGoesOn("the record has no key");
    }

    @Test
    void shouldPutAsideARecordWithoutTime() {
        ledger.produce("ann", LAPS, "1970-01-01T00:00:00Z");

        assertRejectedAndGoesOn("the record has no timestamp");
    }

    @ParameterizedTest
    @CsvSource({"a/b/c", "/ann", "a%b", "acme/"})
    void shouldPutAsideAKeyThatCannotBeRead(String key) {
        ledger.produce(key, LAPS, AT);

        assertRejectedAndGoesOn("");
    }

    @ParameterizedTest
    @CsvSource({"a%2fb, a/b", "acme%2f/ann, ann"})
    void shouldPutAsideAnotherSpellingOfAKey(String key, String id) {
        ledger.produce(key, LAPS.replace("ann", id), AT);

        assertRejectedAndGoesOn("as it must be written");
    }

    @Test
    void shouldPutAsideAKeyThatIsNotUtf8() {
        ledger.pipe(new Logged(new byte[]{(byte) 0xff}, LAPS.replace("ann", "\ufffd").getBytes(UTF_8),
                new RecordHeaders(), Instant.parse(AT)));

        assertRejectedAndGoesOn("as it must be written");
    }

    @Test
    void shouldPutAsideAMarkerOfAVersionThatWasNeverPublished() {
        ledger.mark(new RulesetPublished(TenantId.NONE, 77), AT);

        assertRejectedAndGoesOn("no ruleset of version 77 was ever published");
    }

    @Test
    void shouldPutAsideAMarkerForAStrangeTenant() {
        ledger.mark(new RulesetPublished(new TenantId("stranger"), 1), AT);

        assertRejectedAndGoesOn("no ruleset of version 1 was ever published");
    }

    private void assertRejectedAndGoesOn(String reason) {
        List<JsonNode> rejections = ledger.rejections();
        assertEquals(1, rejections.size());
        JsonNode rejection = rejections.getFirst();
        assertTrue(rejection.get("reason").asString().contains(reason), rejection.toString());
        assertEquals("laurel.commands", rejection.get("topic").asString());
        assertEquals(0, rejection.get("partition").asInt());
        assertEquals(1, rejection.get("offset").asInt(), "the ruleset's marker lies before it");
        assertEquals(1, ledger.rejectionsTotal());
        assertEquals(before, ledger.contents(), "it leaves nothing behind");
        assertEquals(List.of(), ledger.effects());
        assertEquals(201, ledger.ask("ann", LAPS, AT).status());
    }

    @Test
    void shouldPutAsideAKeyOfAnotherPartition() {
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
        for (int i = 0;; i++) {
            if (new LogLayout(partitions).partitionOf(("user-" + i).getBytes(UTF_8)) == partition) {
                return "user-" + i;
            }
        }
    }

    @Test
    void shouldAnswerARefusalToTheOneWhoWaits() {
        var reply = ledger.ask("ann", LAPS.replace("laps", "lapz"), AT);

        assertEquals(404, reply.status());
        assertEquals("Unknown metric: lapz.", reply.body().get("error").asString());
        assertEquals(List.of(), ledger.rejections());
        assertEquals(before, ledger.contents());
    }

    @Test
    void shouldAnswerUnreadableInputToTheOneWhoWaits() {
        assertEquals(400, ledger.ask("ann", "{", AT).status());
        assertEquals(422, ledger.ask("ann", "{\"type\":\"dance\"}", AT).status());
    }

    @Test
    void shouldShowThePresentPeriodToARepeatedKey() {
        String keyed = LAPS.replace("}}", "},\"idempotencyKey\":\"k\"}");
        ledger.ask("ann", keyed, AT);
        var repeated = ledger.ask("ann", keyed, "2026-03-05T10:00:00Z");

        assertEquals(202, repeated.status());
        assertEquals("2026-03-05", repeated.body().get("currentStreak").get("periodStart").asString());
        assertEquals("2026-03-05", repeated.body().get("currentStreak").get("expires").asString());
    }

    @Test
    void shouldCountUsersAndCompletions() {
        int achievement = ruleset.achievements().getFirst().number();
        for (String user : List.of("ann", "bea", "ann", "cy", "bea")) {
            ledger.produce(user, LAPS.replace("ann", user).replace(":4", ":9"), AT);
        }

        assertEquals(3, ledger.reader().userCount(TenantId.NONE));
        assertEquals(2, ledger.reader().completionCount(TenantId.NONE, achievement));
        assertEquals(0, ledger.reader().userCount(new TenantId("acme")));
    }

    @Test
    void shouldKeepTenantsApart() {
        var theirs = published.add(new Ruleset(new TenantId("acme"), 1, ruleset.nextNumber(), ruleset.metrics(),
                ruleset.attributes(), ruleset.achievements(), ruleset.streak(), ruleset.pointsSystems(),
                ruleset.settings(), ruleset.retired()));
        ledger.publish(theirs, AT);
        ledger.produce("ann", LAPS, AT);
        ledger.produce("acme/ann", LAPS.replace(":4", ":9"), AT);
        ledger.produce("other/ann", LAPS, AT);

        assertEquals(1, ledger.reader().userCount(TenantId.NONE));
        assertEquals(1, ledger.reader().userCount(new TenantId("acme")));
        assertTrue(ledger.rejections().getFirst().get("reason").asString().contains("Unknown metric"));
    }

    @Test
    void shouldApplyARulesetFromItsMarkerOn() {
        var next = published.add(TestRulesets.next(ruleset, "metrics: {laps: {}, litres: {}}"));
        String litres = LAPS.replace("laps", "litres");
        assertEquals(404, ledger.ask("ann", litres, AT).status());
        ledger.publish(next, AT);

        assertEquals(201, ledger.ask("ann", litres, AT).status());
        assertEquals(2, ledger.reader().rulesetVersion(TenantId.NONE));
    }
}
