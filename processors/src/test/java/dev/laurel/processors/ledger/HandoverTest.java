package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The ledger of one generation produces output up to a marker, that of the next one from there on; both reach the same state. */
class HandoverTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LATER = "2026-03-05T10:00:00Z";
    private static final String RULES = """
        metrics: {laps: {}}
        achievements: {eight: {trigger: metric, metric: laps, value: 8}}
        points: {gems: {triggers: {each: {type: metric, metric: laps, threshold: 1, points: 1}}}}
        webhooks: {crm: {name: CRM, url: 'https://example.net/hook', events: [points.changed,
          achievement.completed], status: active}}
        """;
    private static final int MARKER = 7;

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(
            TestLeaderboard.on(TestLeaderboard.first(RULES), 1, Instant.EPOCH, TestLeaderboard.ofMetric(11, "laps")));
    private final List<LedgerDriver> ledgers = new ArrayList<>();
    private LedgerDriver live;

    /** The ranges that a generation knows before and after it reads the marker. */
    private record Known(OffsetRange range, Handover handover, boolean startsSilent) implements OutputWindow {
        @Override
        public void refresh() {
            // The marker is known.
        }

        @Override
        public OffsetRange range(int partition) {
            return range;
        }

        @Override
        public Handover readMarker(int generation, int partition, long offset) {
            return generation == 2 && offset == MARKER ? handover : Handover.UNKNOWN;
        }
    }

    private static final OutputWindow FIRST =
            new Known(new OutputWindow.OffsetRange(0, OutputWindow.NEVER), OutputWindow.Handover.END, false);
    private static final OutputWindow SECOND = new Known(
            new OutputWindow.OffsetRange(OutputWindow.NEVER, OutputWindow.NEVER), OutputWindow.Handover.BEGIN, true);

    @BeforeEach
    void writeLog() {
        live = ledger(
                new Known(new OutputWindow.OffsetRange(0, OutputWindow.NEVER), OutputWindow.Handover.OTHER, false));
        live.publish(ruleset, AT);
        for (int i = 0; i < 6; i++) {
            live.ask("user-" + i % 2, event(i % 2), AT);
        }
        live.mark(new GenerationPromoted(2), AT);
        for (int i = 0; i < 6; i++) {
            live.ask("user-" + i % 3, event(i % 3), LATER);
        }
        live.produce("user-1", "no command", LATER);
    }

    @AfterEach
    void close() {
        ledgers.forEach(LedgerDriver::close);
    }

    private LedgerDriver ledger(OutputWindow window) {
        var ledger = new LedgerDriver(published, window);
        ledgers.add(ledger);
        return ledger;
    }

    private static String event(int user) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":4,\"user\":{\"id\":\"user-" + user + "\"}}";
    }

    private LedgerDriver folded(OutputWindow window) {
        LedgerDriver ledger = ledger(window);
        for (Logged record : live.log()) {
            ledger.pipe(record);
        }
        return ledger;
    }

    private static List<String> outbox(LedgerDriver ledger) {
        return ledger.outgoing().stream()
                .map(record -> new String(record.key(), UTF_8) + " " + record.value() + " " + record.getRecordTime())
                .toList();
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Test
    void shouldReachTheSameStateWhileSilent() {
        LedgerDriver shadow = folded(OutputWindow.NOTHING);

        assertEquals(live.contents(), shadow.contents());
        assertEquals(List.of(), shadow.rawEffects());
        assertEquals(List.of(), shadow.outgoing());
        assertEquals(List.of(), shadow.rawReplies());
        assertEquals(List.of(), shadow.rejections());
        assertEquals(0, shadow.rejectionsTotal());
    }

    @Test
    void shouldSendTheSameScoresMarkedAsSilent() {
        LedgerDriver shadow = folded(OutputWindow.NOTHING);

        var scores = shadow.rawScores();
        assertTrue(scores.stream().allMatch(score -> score.headers().lastHeader("laurel-silent") != null));
        assertEquals(newest(live.rawScores()), newest(scores));
    }

    /** The newest score of each user. A shadow sends scores together for which clients of the other generation wait. */
    private static Map<UserId, Scored> newest(List<TestRecord<byte[], byte[]>> records) {
        var newest = new HashMap<UserId, Scored>();
        for (var one : records) {
            if (LeaderboardCodecs.MESSAGE.decode(one.value()).message() instanceof Scores(List<Scored> scores)) {
                scores.forEach(scored -> newest.put(scored.user(), Records.with(scored, "kind", Score.Kind.CHANGED)));
            }
        }
        return newest;
    }

    @Test
    void shouldProduceOutputForEachCommandInOneGeneration() {
        LedgerDriver first = folded(FIRST);
        LedgerDriver second = folded(SECOND);

        List<JsonNode> effects = live.effects();
        List<JsonNode> firstEffects = first.effects();
        assertEquals(effects, both(firstEffects, second.effects()));
        assertFalse(firstEffects.isEmpty() || firstEffects.size() == effects.size());
        List<String> outbox = outbox(live);
        List<String> firstOutbox = outbox(first);
        assertEquals(outbox, both(firstOutbox, outbox(second)));
        assertFalse(firstOutbox.isEmpty() || firstOutbox.size() == outbox.size());
        assertEquals(live.answered(), both(first.replies(), second.replies()));
        assertEquals(live.rejections(), second.rejections());
        assertEquals(List.of(), first.rejections());
        assertEquals(live.contents(), second.contents());
    }

    @Test
    void shouldKnowTheRangeOfItsOutputAfterARestart() {
        LedgerDriver first =
                folded(new Known(new OutputWindow.OffsetRange(0, MARKER), OutputWindow.Handover.END, false));
        LedgerDriver second = folded(
                new Known(new OutputWindow.OffsetRange(MARKER, OutputWindow.NEVER), OutputWindow.Handover.BEGIN, true));

        assertEquals(live.effects(), both(first.effects(), second.effects()));
    }

    @Test
    void shouldMarkNoScoreOfTheGenerationInForce() {
        LedgerDriver second = folded(SECOND);

        var silent = second.rawScores().stream()
                .map(score -> score.headers().lastHeader("laurel-silent") != null)
                .toList();
        assertTrue(silent.getFirst());
        assertFalse(silent.getLast());
        // Once it produces output, it does so to the end.
        assertEquals(silent.lastIndexOf(true) + 1, silent.indexOf(false));
    }

    @Test
    void shouldCountSilentPartitions() {
        LedgerDriver next = ledger(SECOND);
        assertTrue(next.scrape().contains("laurel_ledger_partitions_silent 1.0\n"), next.scrape());
        assertTrue(live.scrape().contains("laurel_ledger_partitions_silent 0.0\n"), live.scrape());

        live.log().forEach(next::pipe);
        assertTrue(next.scrape().contains("laurel_ledger_partitions_silent 0.0\n"), next.scrape());
        assertTrue(
                folded(FIRST).scrape().contains("laurel_ledger_partitions_silent 1.0\n"),
                "it has produced its last output");
    }

    @Test
    void shouldRequestTicksOnlyWhileInForce() {
        LedgerDriver shadow = folded(OutputWindow.NOTHING);
        LedgerDriver first = folded(FIRST);
        LedgerDriver second = folded(SECOND);
        for (LedgerDriver ledger : List.of(shadow, first, second)) {
            ledger.passTime(Duration.ofDays(30_000));
        }

        assertEquals(List.of(), shadow.ticksSent());
        assertEquals(List.of(), first.ticksSent());
        assertFalse(second.ticksSent().isEmpty());
    }

    @Test
    void shouldRejectAMarkerOfAnUnknownPromotion() {
        live.rejections();
        live.mark(new GenerationPromoted(3), LATER);

        assertEquals(
                "no generation 3 was ever promoted here",
                live.rejections().getFirst().get("reason").asString());
    }
}
