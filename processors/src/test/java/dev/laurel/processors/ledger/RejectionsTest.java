package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rejections of invalid records, with position and reason; the partition continues. All tests use one log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RejectionsTest {

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

    private double rejectedBefore;

    @BeforeAll
    void publishRules() {
        ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    @BeforeEach
    void rememberWhatIsThere() {
        before = ledger.contents();
        rejectedBefore = ledger.rejectionsTotal();
        ledger.effects();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "RejectionsTest.shouldRejectWithAReason.csv", delimiter = '|', quoteCharacter = '\'')
    void shouldRejectWithAReason(String what, String value, String reason) {
        ledger.produce("ann", value, AT);

        assertRejectedAndContinues(reason);
    }

    @Test
    void shouldRejectARecordWithoutValue() {
        ledger.produce("ann", null, AT);

        assertRejectedAndContinues("the record has no value");
    }

    @Test
    void shouldRejectAUserCommandWithoutKey() {
        ledger.produce(null, LAPS, AT);

        assertRejectedAndContinues("the record has no key");
    }

    @Test
    void shouldRejectARecordWithoutTime() {
        ledger.produce("ann", LAPS, "1970-01-01T00:00:00Z");

        assertRejectedAndContinues("the record has no timestamp");
    }

    /** A producer may use nanoseconds instead of milliseconds. */
    @Test
    void shouldRejectARecordBeyondTheYear9999() {
        ledger.produce(
                "ann", LAPS, Instant.ofEpochMilli(1_772_618_400_000_000_000L).toString());

        assertRejectedAndContinues("the record's timestamp is beyond the year 9999");
    }

    @ParameterizedTest
    @CsvSource({"a/b/c", "/ann", "a%b", "acme/"})
    void shouldRejectAnUnreadableKey(String key) {
        ledger.produce(key, LAPS, AT);

        assertRejectedAndContinues("");
    }

    @ParameterizedTest
    @CsvSource({"a%2fb, a/b", "acme%2f/ann, ann"})
    void shouldRejectAnotherSpellingOfAKey(String key, String id) {
        ledger.produce(key, LAPS.replace("ann", id), AT);

        assertRejectedAndContinues("%2F");
    }

    @Test
    void shouldRejectAKeyThatIsNotUtf8() {
        ledger.pipe(new Logged(
                new byte[] {(byte) 0xff},
                LAPS.replace("ann", "\ufffd").getBytes(UTF_8),
                new RecordHeaders(),
                Instant.parse(AT)));

        assertRejectedAndContinues("a key must be UTF-8 text");
    }

    /** An overlong slash, an encoded surrogate, a code point beyond U+10FFFF. */
    @ParameterizedTest
    @ValueSource(strings = {"C0 AF", "ED A0 80", "F4 90 80 80"})
    void shouldRejectAValueThatIsNotUtf8(String sequence) {
        String broken = new String(HexFormat.ofDelimiter(" ").parseHex(sequence), ISO_8859_1);
        ledger.pipe(new Logged(
                "ann".getBytes(UTF_8),
                LAPS.replace("{\"id", "{\"name\":\"" + broken + "\",\"id").getBytes(ISO_8859_1),
                new RecordHeaders(),
                Instant.parse(AT)));

        assertRejectedAndContinues("not valid UTF-8");
    }

    @ParameterizedTest
    @ValueSource(ints = {4_001, 100_000})
    void shouldMarkLongValueAsCut(int length) {
        ledger.produce("ann", "{\"type\":\"" + "x".repeat(length), AT);

        String value = ledger.rejections().getLast().get("value").asString();
        assertEquals(4_000, value.length());
        assertTrue(value.endsWith("xx…"), value);
    }

    @Test
    void shouldRejectIdWithZeroCharacter() {
        ledger.produce("a\0b", LAPS.replace("ann", "a\\u0000b"), AT);

        assertRejectedAndContinues("user.id must not contain the character U+0000");
    }

    @Test
    void shouldRejectIdThatNoPathCanHave() {
        ledger.produce("..", LAPS.replace("ann", ".."), AT);

        assertRejectedAndContinues("user.id must not be . or .., which clients and proxies take out of paths");
    }

    @Test
    void shouldRejectAMarkerOfAnUnpublishedVersion() {
        ledger.mark(new RulesetPublished(TenantId.NONE, 77), AT);

        assertRejectedAndContinues("no ruleset of version 77 was ever published");
    }

    @Test
    void shouldIgnoreAMarkerThatIsNotNewerThanTheVersionInForce() {
        var acme = new TenantId("acme");
        Ruleset first = published.add(TestRulesets.next(Ruleset.empty(acme), "metrics: {laps: {}}", Instant.EPOCH));
        Ruleset second = published.add(TestRulesets.next(first, "metrics: {laps: {}, dives: {}}", Instant.EPOCH));
        ledger.mark(new RulesetPublished(acme, first.version()), AT);
        ledger.mark(new RulesetPublished(acme, second.version()), AT);
        before = ledger.contents();

        ledger.mark(new RulesetPublished(acme, first.version()), AT);
        ledger.mark(new RulesetPublished(acme, second.version()), AT);

        assertEquals(List.of(), ledger.rejections());
        assertEquals(before, ledger.contents());
    }

    @Test
    void shouldRejectAMarkerOfAnUnknownTenant() {
        ledger.mark(new RulesetPublished(new TenantId("stranger"), 1), AT);

        assertRejectedAndContinues("no ruleset of version 1 was ever published");
    }

    private void assertRejectedAndContinues(String reason) {
        List<JsonNode> rejections = ledger.rejections();
        assertEquals(1, rejections.size());
        JsonNode rejection = rejections.getFirst();
        assertTrue(rejection.get("reason").asString().contains(reason), rejection.toString());
        assertEquals("laurel.commands", rejection.get("topic").asString());
        assertEquals(0, rejection.get("partition").asInt());
        assertEquals(ledger.log().size() - 1, rejection.get("offset").asInt());
        assertEquals(rejectedBefore + 1, ledger.rejectionsTotal());
        assertEquals(before, ledger.contents(), "it stores nothing");
        assertEquals(List.of(), ledger.effects());
        assertEquals(201, ledger.ask("cy", LAPS.replace("ann", "cy"), AT).status());
    }
}
