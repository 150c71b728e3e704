package dev.laurel.delivery.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The events of leaderboards, except for changes of ranks. The clock starts at 2026-03-04, 09:00 UTC. */
class LeaderboardThrottleTest {

    private static final String BOARD = "board-11";
    private static final UUID ID = new UUID(0, 11);
    private static final LocalDate FIRST = ThrottleDriver.FIRST;

    @AutoClose
    private final ThrottleDriver throttle = new ThrottleDriver();

    private void publish(TestLeaderboard board, String... events) {
        throttle.rules("settings: {integerLeaderboardValues: true}\n" + ThrottleDriver.asking(events), board);
    }

    private static TestLeaderboard perpetual() {
        return TestLeaderboard.ofMetric(11, "laps").from("2026-03-01");
    }

    // Changes.

    @Test
    void shouldSendAChangeWithThePresentTopTen() {
        publish(perpetual(), "leaderboard.changed");
        for (int i = 1; i <= 12; i++) {
            throttle.score(BOARD, "u" + (100 - i), i + ".9");
        }
        throttle.check();

        List<HookEvent> forwarded = throttle.forwarded();
        assertEquals(1, forwarded.size());
        assertEquals(throttle.now(), forwarded.getFirst().at());
        assertEquals(1, forwarded.getFirst().webhooks().size());
        JsonNode body = ThrottleDriver.body(forwarded.getFirst());
        assertEquals("leaderboard.changed", body.get("type").asString());
        JsonNode board = body.get("leaderboard");
        assertEquals(10, board.get("rankings").size());
        assertEquals("u88", board.at("/rankings/0/userId").asString());
        assertEquals("12", board.at("/rankings/0/value").toString());
        assertEquals("active", board.get("status").asString());
        assertEquals("2026-03-01", board.get("runStart").asString());
        assertTrue(board.get("runEnd").isNull());
        assertFalse(board.has("breakdownAttributeValues"));
    }

    @Test
    void shouldSendChangesOncePerWindow() {
        publish(perpetual(), "leaderboard.changed");
        throttle.scoreAndCheck(BOARD, "ann", "30");
        throttle.score(BOARD, "bob", "40");
        throttle.after(Duration.ofMinutes(10));
        throttle.scoreAndCheck(BOARD, "cem", "50");
        assertEquals(List.of("changed ann"), throttle.lines());

        throttle.after(Duration.ofMinutes(5));
        assertEquals(List.of("changed cem bob ann"), throttle.lines());
        throttle.after(Duration.ofHours(5));
        assertEquals(List.of(), throttle.lines());
    }

    @Test
    void shouldDeleteTheStateOfAnInactiveLeaderboard() {
        publish(perpetual(), "leaderboard.changed");
        throttle.scoreAndCheck(BOARD, "ann", "30");
        assertFalse(throttle.store().isEmpty());

        throttle.after(Duration.ofMinutes(15));
        assertEquals(Map.of(), throttle.store());
    }

    @Test
    void shouldSendChangesOfEachGroupSeparately() {
        publish(perpetual().by("city"), "leaderboard.changed");
        throttle.score(BOARD, FIRST, null, List.of("Turku"), "ann", "30");
        throttle.scoreAndCheck(BOARD, FIRST, null, List.of("Oulu"), "bob", "30");

        List<JsonNode> bodies = throttle.bodies();
        assertEquals(2, bodies.size());
        assertEquals(
                "[{\"key\":\"city\",\"value\":\"Oulu\"}]",
                bodies.getFirst().at("/leaderboard/breakdownAttributeValues").toString());
        assertEquals(
                "bob", bodies.getFirst().at("/leaderboard/rankings/0/userId").asString());
    }

    @Test
    void shouldReadAgainUntilTheNodeAnswers() {
        publish(perpetual(), "leaderboard.changed", "leaderboard.rank_changed");
        throttle.score(BOARD, "ann", "30");
        throttle.isAway(true);
        throttle.check();
        throttle.restart();
        throttle.check();
        assertEquals(List.of(), throttle.lines());

        throttle.isAway(false);
        throttle.check();
        assertEquals(List.of("changed ann", "ann null/null -> 1/30"), throttle.lines());
    }

    @Test
    void shouldWaitForARankingThatIsOlderThanTheEvent() {
        publish(perpetual(), "leaderboard.changed", "leaderboard.rank_changed");
        throttle.scoreAndCheck(BOARD, "ann", "30");
        throttle.lines();
        throttle.fallBehind();
        throttle.score(BOARD, "bob", "40");
        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of(), throttle.lines());

        throttle.catchUp();
        throttle.check();
        assertEquals(List.of("changed bob ann", "bob null/null -> 1/40", "ann 1/30 -> 2/30"), throttle.lines());
    }

    @Test
    void shouldAcceptARankingThatNeverContainsTheEvent() {
        publish(perpetual(), "leaderboard.changed");
        throttle.score(BOARD, "ann", "30");
        throttle.fallBehind();
        throttle.score(BOARD, "bob", "40");
        for (int i = 0; i < LeaderboardThrottle.MAX_CHECKS; i++) {
            throttle.check();
        }
        assertEquals(List.of(), throttle.lines());

        throttle.check();
        assertEquals(List.of("changed ann"), throttle.lines());
    }

    @Test
    void shouldNotReadRankingsBeforeTheyAreDue() {
        publish(perpetual(), "leaderboard.changed");
        throttle.score(BOARD, "ann", "30");
        for (int i = 0; i < 10; i++) {
            throttle.check();
            throttle.score(BOARD, "ann", "" + (31 + i));
        }

        assertEquals(1, throttle.rankingsAsked());
    }

    @Test
    void shouldSendNothingWhenNoWebhookAsksAnyMore() {
        publish(perpetual(), "leaderboard.changed");
        throttle.scoreAndCheck(BOARD, "ann", "30");
        throttle.score(BOARD, "ann", "31");
        throttle.lines();
        publish(perpetual(), "streak.lost");

        throttle.after(Duration.ofHours(1));
        assertEquals(List.of(), throttle.lines());
        assertEquals(Map.of(), throttle.store());
    }

    // Starts and ends.

    private Effect.LeaderboardFinished finished(String at, String runEnd) {
        var best = IntStream.rangeClosed(1, 10)
                .mapToObj(rank ->
                        new Effect.Ranked(new UserId("u" + rank), null, rank, new BigDecimal(100 - rank + ".5")))
                .toList();
        return new Effect.LeaderboardFinished(
                Instant.parse(at), ID, BOARD, FIRST, runEnd == null ? null : LocalDate.parse(runEnd), List.of(), best);
    }

    @Test
    void shouldSendAStartAtOnce() {
        publish(perpetual().to("2026-03-31").every(7, RunUnit.DAY), "leaderboard.started");
        LeaderboardEvent event = throttle.event(new Effect.LeaderboardStarted(
                throttle.now(), ID, BOARD, LocalDate.parse("2026-03-08"), LocalDate.parse("2026-03-14")));
        throttle.accept(event);

        HookEvent sent = throttle.forwarded().getFirst();
        JsonNode board = ThrottleDriver.body(sent).get("leaderboard");
        assertEquals(event.id(), sent.id());
        assertEquals("[]", board.get("rankings").toString());
        assertEquals("2026-03-01", board.get("start").asString());
        assertEquals("2026-03-31", board.get("end").asString());
        assertEquals("2026-03-08", board.get("runStart").asString());
        assertEquals("2026-03-14", board.get("runEnd").asString());
    }

    @Test
    void shouldHoldBackAnEndUntilOneOClock() {
        publish(perpetual().to("2026-03-05"), "leaderboard.finished");
        throttle.at("2026-03-06T12:00:07Z");
        LeaderboardEvent event = throttle.event(finished("2026-03-06T12:00:00Z", "2026-03-05"));
        throttle.accept(event);
        throttle.restart();
        throttle.at("2026-03-06T12:59:59Z");
        assertEquals(List.of(), throttle.forwarded());

        throttle.at("2026-03-06T13:00:00Z");
        HookEvent sent = throttle.forwarded().getFirst();
        JsonNode board = ThrottleDriver.body(sent).get("leaderboard");
        assertEquals(event.id(), sent.id());
        assertEquals(Instant.parse("2026-03-06T13:00:00Z"), sent.at());
        assertEquals("finished", board.get("status").asString());
        assertEquals(10, board.get("rankings").size());
        assertEquals("99", board.at("/rankings/0/value").toString());
        throttle.check();
        assertEquals(List.of(), throttle.forwarded());
    }

    @Test
    void shouldHoldBackAnEndOnceThatIsReadTwice() {
        publish(perpetual().to("2026-03-05"), "leaderboard.finished");
        throttle.at("2026-03-06T12:00:07Z");
        LeaderboardEvent event = throttle.event(finished("2026-03-06T12:00:00Z", "2026-03-05"));
        throttle.accept(event);
        throttle.accept(event);

        throttle.at("2026-03-09T00:00:00Z");
        assertEquals(1, throttle.forwarded().size());
    }

    @Test
    void shouldSendALateEndAtOnce() {
        publish(perpetual().to("2026-03-05"), "leaderboard.finished");
        throttle.at("2026-03-06T17:00:00Z");
        throttle.accept(finished("2026-03-06T12:00:00Z", "2026-03-05"));

        assertEquals(1, throttle.forwarded().size());
    }

    @Test
    void shouldSendAManualEndAtOnce() {
        publish(perpetual(), "leaderboard.finished");
        throttle.accept(finished("2026-03-04T08:59:00Z", null));
        throttle.accept(finished("2026-03-04T08:59:00Z", "2026-03-05"));

        assertEquals(2, throttle.forwarded().size());
    }

    @Test
    void shouldForwardEventsWithTheKeyOfTheLeaderboard() {
        publish(
                perpetual(),
                "leaderboard.started",
                "leaderboard.changed",
                "leaderboard.rank_changed",
                "leaderboard.finished");
        throttle.accept(new Effect.LeaderboardStarted(throttle.now(), ID, BOARD, FIRST, null));
        throttle.score(BOARD, "ann", "30");
        throttle.accept(finished("2026-03-04T08:59:00Z", null));
        throttle.check();

        assertEquals(List.of("//board-11", "//board-11", "//board-11", "//board-11"), throttle.forwardedKeys());
    }

    @Test
    void shouldSendTheLastChangesOfARunAndThenDeleteItsState() {
        publish(perpetual().to("2026-03-05"), "leaderboard.changed", "leaderboard.rank_changed");
        LocalDate end = LocalDate.parse("2026-03-05");
        throttle.accept(new Effect.LeaderboardStarted(throttle.now(), ID, BOARD, FIRST, end));
        throttle.scoreAndCheck(BOARD, FIRST, end, List.of(), "ann", "30");
        throttle.scoreAndCheck(BOARD, FIRST, end, List.of(), "bob", "40");
        throttle.accept(finished("2026-03-04T09:00:01Z", "2026-03-05"));
        throttle.check();
        assertEquals(List.of("changed ann", "ann null/null -> 1/30", "bob null/null -> 1/40"), throttle.lines());

        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of("changed bob ann", "ann 1/30 -> 2/30"), throttle.lines());

        throttle.after(Duration.ofDays(10));
        assertEquals(Map.of(), throttle.store());
    }

    @Test
    void shouldGiveEachChangeItsOwnId() {
        publish(perpetual(), "leaderboard.changed");
        throttle.scoreAndCheck(BOARD, "ann", "30");
        throttle.score(BOARD, "ann", "31");
        throttle.score(BOARD, "ann", "30");
        throttle.after(Duration.ofMinutes(15));

        List<HookEvent> forwarded = throttle.forwarded();
        assertEquals(2, forwarded.size());
        assertEquals(forwarded.getFirst().body(), forwarded.getLast().body());
        assertNotEquals(forwarded.getFirst().id(), forwarded.getLast().id());
    }
}
