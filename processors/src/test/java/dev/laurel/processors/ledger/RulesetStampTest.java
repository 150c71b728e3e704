package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.SentMarker;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.RulesetHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands that name the version of the rules that has admitted them, and markers that a partition lacks. */
class RulesetStampTest {

    private static final Instant AT = Instant.parse("2026-03-04T10:00:00Z");
    private static final TenantId ACME = new TenantId("acme");
    private static final UserKey ANN = UserKey.parse("acme/ann");
    private static final String LAPS = "{\"type\":\"event\",\"metric\":\"laps\",\"value\":4,\"user\":{\"id\":\"ann\"}}";
    private static final String HELLO = "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}";

    private final Published published = new Published();

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    private Ruleset newest = Ruleset.empty(ACME);

    private void publish() {
        newest = published.add(TestRulesets.next(newest, "metrics: {laps: {}, m" + newest.version() + ": {}}", AT));
    }

    private void send(String command, String stamp) {
        ledger.pipe(new Logged(ANN.bytes(), command.getBytes(UTF_8), stamped(stamp), AT));
    }

    private static RecordHeaders stamped(String stamp) {
        var headers = new RecordHeaders();
        if (stamp != null) {
            headers.add("laurel-ruleset", stamp.getBytes(UTF_8));
        }
        return headers;
    }

    private void assertJudgedBy(long version) {
        assertEquals(List.of(), ledger.rejections());
        assertEquals(version, ledger.rulesetVersion(ACME));
        assertEquals(version, ledger.reader().user(ANN.bytes()).rulesVersion());
    }

    private void assertRejected(String reason) {
        List<JsonNode> rejections = ledger.rejections();
        assertEquals(1, rejections.size());
        assertTrue(rejections.getFirst().get("reason").asString().contains(reason), rejections::toString);
    }

    @Test
    void shouldBringTheVersionIntoForceThatHasAdmittedACommand() {
        publish();
        publish();
        send(LAPS, "2");

        assertJudgedBy(2);
    }

    @Test
    void shouldNotGoBackWithAnOlderStamp() {
        publish();
        publish();
        send(LAPS, "2");
        send(LAPS, "1");
        ledger.publish(published.version(ACME, 1), AT.toString());

        assertJudgedBy(2);
    }

    @Test
    void shouldRejectAForgedStamp() {
        publish();
        send(LAPS, "1");
        var before = ledger.contents();
        send(LAPS, "2");

        assertRejected("laurel-ruleset names version 2, which was never published");
        assertEquals(before, ledger.contents());
    }

    @Test
    void shouldRejectAnUnreadableStamp() {
        publish();
        for (String stamp : List.of("", "-1", "1.0", "1234567890123456789")) {
            send(LAPS, stamp);

            assertRejected("laurel-ruleset must be the version of a ruleset as decimal digits");
        }
    }

    @Test
    void shouldNotJudgeADirectProducersFirstUserWithoutRules() {
        publish();
        send(HELLO, "0");
        ledger = ledger.restarted();
        send(HELLO, null);

        assertRejected("no ruleset of tenant 'acme' is in force in this partition yet");
        send(LAPS, "1");
        send(LAPS, null);
        assertJudgedBy(1);
    }

    /** Logs from before there were stamps have a marker in each partition, except of tenants without rules. */
    @Test
    void shouldReadOldLogsAsBefore() {
        send(HELLO, null);

        assertJudgedBy(0);
    }

    @Test
    void shouldAnswerAnOldGateway() {
        publish();
        send(HELLO, "0");
        var headers = new RecordHeaders();
        ReplyHeaders.write(headers, new ReplyTo(5, new UUID(0, 9)));
        ledger.pipe(new Logged(ANN.bytes(), HELLO.getBytes(UTF_8), headers, AT));

        assertEquals(1, ledger.replies().size());
        assertJudgedBy(0);
    }

    @Test
    void shouldReadAStamp() {
        var headers = new RecordHeaders();
        assertEquals(RulesetHeader.NONE, RulesetHeader.read(headers));
        RulesetHeader.write(headers, 1234567890123L);
        assertEquals(1234567890123L, RulesetHeader.read(headers));
        headers.add("laurel-ruleset", null);
        assertEquals(RulesetHeader.INVALID, RulesetHeader.read(headers));
    }

    @Test
    void shouldAppendAMarkerThatItsPartitionLacks() {
        publish();
        send(LAPS, "1");
        publish();
        ledger.passTime(Duration.ofSeconds(1));

        assertEquals(List.of(), ledger.markersSent());

        ledger.lagBehind(true);
        ledger.passTime(Duration.ofMillis(MarkerRequester.GRACE_MS));
        assertEquals(List.of(), ledger.markersSent());
        ledger.lagBehind(false);
        ledger.passTime(Duration.ofSeconds(1));
        assertEquals(List.of(new SentMarker(ACME, 2, AT.toEpochMilli())), ledger.markersSent());

        ledger.passTime(Duration.ofSeconds(1));
        assertEquals(List.of(), ledger.markersSent());
    }

    @Test
    void shouldFindAMissingMarkerAlsoLater() {
        publish();
        send(LAPS, "1");
        for (int second = 0; second < 2 * MarkerRequester.WATCHED_MS / 1000; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }
        publish();
        for (int second = 0; second < 20; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }

        assertEquals(List.of(new SentMarker(ACME, 2, AT.toEpochMilli())), ledger.markersSent());
    }

    /** More tenants are new here than are watched. */
    @Test
    void shouldFindAMissingMarkerAmongManyNewTenants() {
        for (int tenant = 0; tenant < 205; tenant++) {
            ledger.pipe(new Logged(
                    UserKey.parse("tenant-" + tenant + "/ann").bytes(), HELLO.getBytes(UTF_8), stamped("0"), AT));
        }
        send(HELLO, "0");
        publish();
        for (int second = 0; second < 30; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }

        assertEquals(List.of(new SentMarker(ACME, 1, AT.toEpochMilli())), ledger.markersSent());
    }

    /** Users without a tenant may have keys that begin like those of a tenant. */
    @Test
    void shouldNotTakeUsersWithoutATenantForThoseOfOne() {
        publish();
        ledger.publish(newest, AT.toString());
        for (String user : List.of("acme", "acme0", "acme-1")) {
            ledger.pipe(
                    new Logged(user.getBytes(UTF_8), HELLO.replace("ann", user).getBytes(UTF_8), stamped("0"), AT));
        }
        publish();
        for (int second = 0; second < 20; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }

        assertEquals(List.of(), ledger.markersSent());
    }

    @Test
    void shouldNotAskForMarkersOfTenantsWithoutUsersHere() {
        publish();
        ledger.publish(newest, AT.toString());
        publish();
        for (int second = 0; second < 20; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }

        assertEquals(List.of(), ledger.markersSent());
        assertNull(ledger.reader().user(ANN.bytes()));
    }
}
