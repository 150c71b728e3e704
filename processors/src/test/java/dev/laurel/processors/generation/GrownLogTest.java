package dev.laurel.processors.generation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.PositionHeader;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A log and its copy with twice as many partitions lead to the same state and output of each user, ids included. */
class GrownLogTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LATER = "2026-03-06T10:00:00Z";
    private static final String RULES = """
        metrics: {laps: {}}
        achievements: {eight: {trigger: metric, metric: laps, value: 8}}
        points: {gems: {triggers: {each: {type: metric, metric: laps, threshold: 1, points: 1}}}}
        webhooks: {crm: {name: CRM, url: 'https://example.net/hook', events: [points.changed,
          achievement.completed, streak.lost], status: active}}
        """;
    private static final LogLayout WIDE = new LogLayout(2);
    private static final List<String> HERE = usersOf(0);
    private static final List<String> ELSEWHERE = usersOf(1);

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestLeaderboard.first(RULES));
    private final LedgerDriver narrow = new LedgerDriver(published);
    private final LedgerDriver wide = new LedgerDriver(published, Generation.wider(2), 2);
    private int offset;

    @BeforeEach
    void write() {
        narrow.publish(ruleset, AT);
        for (int i = 0; i < 12; i++) {
            // Other users first, so that the positions in the two logs differ.
            narrow.ask(ELSEWHERE.get(i % 3), event(ELSEWHERE.get(i % 3)), AT);
            narrow.ask(HERE.get(i % 3), event(HERE.get(i % 3)), AT);
        }
        narrow.mark(new TimersHeld("import"), AT);
        narrow.produce(HERE.getFirst(), "no command", AT);
        narrow.mark(new TimersReleased("import"), AT);
        narrow.tickUntilQuiet(LATER);
        narrow.ask(HERE.getLast(), event(HERE.getLast()), LATER);
        for (Logged record : narrow.log()) {
            copy(record);
        }
    }

    @AfterEach
    void close() {
        narrow.close();
        wide.close();
    }

    private static List<String> usersOf(int partition) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "user-" + i)
                .filter(user -> WIDE.partitionOf(user.getBytes(UTF_8)) == partition)
                .limit(3)
                .toList();
    }

    private static String event(String user) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":4,\"user\":{\"id\":\"" + user + "\"}}";
    }

    private void copy(Logged record) {
        int first = offset++;
        if (new Widening(1, 2).targetsOf(0, record.key(), record.value()).contains(0)) {
            var headers = new RecordHeaders(record.headers());
            PositionHeader.write(headers, new LogPosition(1, 0, first));
            wide.pipe(new Logged(record.key(), record.value(), headers, record.at()));
        }
    }

    @Test
    void shouldProduceTheSameOutputOfEachUserWithTheSameIds() {
        List<String> all = outgoing(narrow, HERE);

        assertEquals(all, outgoing(wide, HERE));
        assertTrue(all.size() > 12, all::toString);
        assertEquals(narrow.effects().stream().filter(GrownLogTest::isOfHere).toList(), wide.effects());
        assertEquals(narrow.rejections().size(), wide.rejections().size());
    }

    /** An event without an id gets one from its original position. */
    @Test
    void shouldAnswerTheSame() {
        List<LedgerDriver.Reply> answers = wide.replies();

        assertEquals(
                13,
                answers.size()
                        - (int) answers.stream()
                                .filter(reply -> !reply.body().has("eventId"))
                                .count());
        assertTrue(narrow.answered()
                .containsAll(answers.stream()
                        .filter(reply -> reply.body().has("eventId"))
                        .toList()));
    }

    @Test
    void shouldReachTheSameStateOfUsers() {
        var expected = narrow.contents();
        wide.contents().forEach((store, entries) -> {
            if (!store.equals("partition-state")
                    && !store.equals("counters")) { // Those count all users of a partition.
                assertFalse(store.equals("users") && entries.size() != HERE.size(), entries::toString);
                entries.forEach((key, value) -> assertEquals(expected.get(store).get(key), value, store));
            }
        });
    }

    /** Positions in the new log differ from those in the old one, so ids are not used twice. */
    @Test
    void shouldGiveDifferentIdsToRecordsWrittenToTheWideLog() {
        int before = outgoing(wide, HERE).size();
        assertTrue(before > 0);
        wide.produce(HERE.getFirst(), event(HERE.getFirst()), LATER);
        List<String> own = outgoing(wide, HERE);
        int place = wide.log().size() - 1;

        // The id in the first log.
        String taken = UUID.nameUUIDFromBytes(("laurel-outbox/0/" + place + "/0/" + HERE.getFirst()).getBytes(UTF_8))
                .toString();
        assertFalse(own.isEmpty());
        assertTrue(own.stream().noneMatch(line -> line.contains(taken)), own::toString);
    }

    private static boolean isOfHere(JsonNode effect) {
        return ELSEWHERE.stream().noneMatch(user -> effect.toString().contains("\"" + user + "\""));
    }

    private static List<String> outgoing(LedgerDriver ledger, List<String> users) {
        return ledger.outgoing().stream()
                .filter(record -> users.contains(new String(record.key(), UTF_8)))
                .map(record -> new String(record.key(), UTF_8) + " " + record.value() + " " + record.getRecordTime())
                .toList();
    }
}
