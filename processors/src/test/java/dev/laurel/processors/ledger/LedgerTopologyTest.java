package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** The topology of the ledger, whose store names are durable data. */
class LedgerTopologyTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LAPS = """
        {"type":"event","metric":"laps","value":4,"user":{"id":"ann"}}\
        """;

    @Test
    void shouldMatchTheApprovedTopology() throws IOException {
        var topology = LedgerTopology.build(
                new LedgerTopology.Dependencies(
                        new RulesetVersions(new Published(), Duration.ZERO),
                        Ticks.NONE,
                        new LogLayout(1),
                        new LeaderboardLayout(1),
                        LedgerMeters.unread()),
                TaskTracker.NONE,
                new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, true, true));
        String approved;
        try (var in = LedgerTopologyTest.class.getResourceAsStream("/topology/ledger.txt")) {
            approved = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertEquals(
                approved.strip(),
                withSortedStores(topology.describe().toString()).strip(),
                "names of stores are durable data; if this change is meant, put it into topology/ledger.txt");
    }

    /** Sorts lines, since Kafka Streams prints them in no order. */
    private static String withSortedStores(String description) {
        return Pattern.compile("stores: \\[(.*)]")
                .matcher(description)
                .replaceAll(stores -> "stores: ["
                        + Stream.of(stores.group(1).split(", ")).sorted().collect(Collectors.joining(", ")) + "]");
    }

    @Test
    void shouldHaveItsStoresByName() {
        try (var ledger = ledger()) {
            assertEquals(
                    Set.of(
                            "users",
                            "metric-days",
                            "streak-periods",
                            "points-ledger",
                            "idempotency-keys",
                            "timers",
                            "counters",
                            "partition-state"),
                    ledger.stores().keySet());
        }
    }

    @Test
    void shouldAnswerTheRequestThatAsked() {
        try (var ledger = ledger()) {
            var reply = ledger.ask("ann", LAPS, AT);

            assertEquals(201, reply.status());
            assertEquals(4, reply.body().get("total").asInt());
        }
    }

    @Test
    void shouldSendAnswersWithoutAKey() {
        try (var ledger = ledger()) {
            var headers = new RecordHeaders();
            ReplyHeaders.write(headers, new ReplyHeaders.ReplyTo(3, new UUID(1, 2)));
            ledger.pipe(new LedgerDriver.Logged(
                    "ann".getBytes(StandardCharsets.UTF_8),
                    LAPS.getBytes(StandardCharsets.UTF_8),
                    headers,
                    Instant.parse(AT)));

            assertNull(ledger.rawReplies().getFirst().key());
        }
    }

    @Test
    void shouldDeliverAnswersToTheGatewayInTheProcessOnly() {
        var published = new Published();
        var ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));
        var here = new ArrayList<String>();
        UUID local = UUID.nameUUIDFromBytes("request 1".getBytes(StandardCharsets.UTF_8));
        try (var ledger = new LedgerDriver(published, (headers, body) -> {
            boolean isLocal = ReplyHeaders.requestId(headers).equals(local);
            if (isLocal) {
                here.add(ReplyHeaders.status(headers) + " " + new String(body, StandardCharsets.UTF_8));
            }
            return isLocal;
        })) {
            ledger.publish(ruleset, AT);
            assertNull(ledger.ask("ann", LAPS, AT), "it left the topology before the sink");
            assertEquals(8, ledger.ask("ann", LAPS, AT).body().get("total").asInt());
            assertEquals(1, here.size());
            assertTrue(here.getFirst().startsWith("201 {\"eventId\":"), here.getFirst());
        }
    }

    @Test
    void shouldNotAnswerWithoutAWaitingClient() {
        try (var ledger = ledger()) {
            ledger.produce("ann", LAPS, AT);

            assertEquals(0, ledger.replies().size());
            assertEquals(2, ledger.effects().size());
        }
    }

    @Test
    void shouldKeyEffectsByUserWithTheTimeOfTheCommand() {
        try (var ledger = ledger()) {
            ledger.produce("ann", LAPS, AT);

            for (var effect : ledger.rawEffects()) {
                assertEquals("ann", new String(effect.key(), StandardCharsets.UTF_8));
                assertEquals(Instant.parse(AT), effect.getRecordTime());
            }
        }
    }

    @Test
    void shouldSendScoresToThePartitionOfTheirLeaderboardAndMarkersToAll() {
        var boards = new LeaderboardLayout(3);
        var partitioner = LedgerTopology.toBoards(boards);
        for (int board = 1; board < 9; board++) {
            var key = new ScoreKey(new TenantId("acme"), board, 0);
            assertEquals(
                    Optional.of(Set.of(boards.partitionOf(key.tenant(), board))),
                    partitioner.partitions("laurel.scores", key, null, new RecordHeaders(), 3));
        }
        assertEquals(
                Optional.of(Set.of(0, 1, 2)),
                partitioner.partitions("laurel.scores", null, null, new RecordHeaders(), 3));
    }

    @Test
    void shouldUseTheTimeOfTheRecord() {
        assertEquals(1_772_618_400_000L, timeOf(1_772_618_400_000L));
        assertEquals(1, timeOf(1));
    }

    @Test
    void shouldForwardARecordWithoutTimeWithTimeZero() {
        assertEquals(0, timeOf(-1));
        assertEquals(0, timeOf(0));
    }

    private static long timeOf(long timestampMs) {
        var record = new ConsumerRecord<Object, Object>(
                "laurel.commands",
                0,
                0,
                timestampMs,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                null,
                new RecordHeaders(),
                Optional.empty());
        return CommonNodes.RECORD_TIME.extract(record, 99);
    }

    private static LedgerDriver ledger() {
        var published = new Published();
        var ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));
        var ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
        return ledger;
    }
}
