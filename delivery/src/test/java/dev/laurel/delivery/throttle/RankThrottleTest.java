package dev.laurel.delivery.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The notifications of changed ranks. The clock starts at 2026-03-04, 09:00 UTC. */
class RankThrottleTest {

    private static final String BOARD = "board-11";
    private static final LocalDate FIRST = ThrottleDriver.FIRST;
    private static final String ASKING = ThrottleDriver.asking("leaderboard.rank_changed");

    @AutoClose
    private final ThrottleDriver throttle = new ThrottleDriver();

    private static TestLeaderboard perpetual() {
        return TestLeaderboard.ofMetric(11, "laps").from("2026-03-01");
    }

    private void start() {
        throttle.rules(ASKING, perpetual());
    }

    /** Starts with an existing ranking, which causes no notifications. */
    private void startWith(String... standings) {
        throttle.rules("", perpetual());
        for (String standing : standings) {
            String[] words = standing.split(" ");
            throttle.scored(BOARD, FIRST, null, List.of(), words[0], words[1]);
        }
        start();
    }

    @Test
    void shouldTellWhoComesAndWhoIsPassed() {
        start();
        throttle.scoreAndCheck(BOARD, "ann", "30");
        assertEquals(List.of("ann null/null -> 1/30"), throttle.lines());

        throttle.after(Duration.ofMinutes(15));
        throttle.scoreAndCheck(BOARD, "bob", "40.5");
        List<HookEvent> forwarded = throttle.forwarded();
        assertEquals(
                List.of("bob", "ann"), forwarded.stream().map(HookEvent::about).toList());
        JsonNode body = ThrottleDriver.body(forwarded.getFirst());
        assertEquals("leaderboard.rank_changed", body.get("type").asString());
        assertEquals("bob", body.at("/user/id").asString());
        JsonNode board = body.get("leaderboard");
        assertEquals(
                "[null,1,null,40.5]",
                List.of(board.get("previousRank"), board.get("rank"), board.get("previousValue"), board.get("value"))
                        .toString()
                        .replace(" ", ""));
        assertFalse(board.has("history"));
        assertFalse(board.has("rankings"));
        assertEquals("2026-03-01", board.get("runStart").asString());
    }

    @Test
    void shouldSendEachUserOncePerOwnWindow() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        assertEquals(List.of("bob 2/20 -> 1/40", "ann 1/30 -> 2/30"), throttle.lines());

        throttle.after(Duration.ofMinutes(5));
        throttle.scoreAndCheck(BOARD, "cem", "50");
        assertEquals(List.of("cem null/null -> 1/50"), throttle.lines());
        throttle.scoreAndCheck(BOARD, "ann", "60");
        assertEquals(List.of(), throttle.lines());

        throttle.after(Duration.ofMinutes(10));
        assertEquals(List.of("ann 2/30 -> 1/60", "bob 1/40 -> 3/40"), throttle.lines());
        throttle.after(Duration.ofMinutes(5));
        assertEquals(List.of("cem 1/50 -> 2/50"), throttle.lines());
        throttle.after(Duration.ofDays(1));
        assertEquals(List.of(), throttle.lines());
    }

    @Test
    void shouldNotSendARankThatIsUndoneWithinItsWindow() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        throttle.lines();
        throttle.score(BOARD, "ann", "50");
        throttle.score(BOARD, "ann", "30");

        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of(), throttle.lines());
    }

    @Test
    void shouldSendUsersWhoLeaveAndReturn() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "ann", "0");
        assertEquals(List.of("bob 2/20 -> 1/20", "ann 1/30 -> null/null"), throttle.lines());

        throttle.scoreAndCheck(BOARD, "ann", "10");
        assertEquals(List.of(), throttle.lines());
        throttle.after(Duration.ofMinutes(15));
        assertEquals(List.of("ann null/null -> 2/10"), throttle.lines());
    }

    // Former ranks.

    @Test
    void shouldNotSendTheRanksOfTheTimeWhenAWebhookBeganToAsk() {
        startWith("ann 30", "bob 20", "cem 10");
        throttle.score(BOARD, "cem", "25");
        throttle.scoreAndCheck(BOARD, "dot", "5");

        assertEquals(List.of("cem 3/10 -> 2/25", "bob 2/20 -> 3/20", "dot null/null -> 4/5"), throttle.lines());
    }

    @Test
    void shouldStartAnewWhenAWebhookAsksAgain() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        throttle.lines();
        throttle.rules(ThrottleDriver.asking("streak.lost"), perpetual());
        throttle.scored(BOARD, FIRST, null, List.of(), "ann", "50");
        throttle.scored(BOARD, FIRST, null, List.of(), "cem", "60");
        throttle.after(Duration.ofMinutes(20));

        start();
        throttle.scoreAndCheck(BOARD, "dot", "70");
        assertEquals(
                List.of("dot null/null -> 1/70", "cem 1/60 -> 2/60", "ann 2/50 -> 3/50", "bob 3/40 -> 4/40"),
                throttle.lines());
    }

    @Test
    void shouldStartAnewIfTheStepWasDownWhileNoWebhookAsked() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        throttle.rules("", perpetual());
        throttle.restart();
        throttle.after(Duration.ofMinutes(15));

        assertEquals(Map.of(), throttle.store());
    }

    @Test
    void shouldSendTheFirstRanksOfARun() {
        throttle.rules(ASKING, perpetual().every(7, RunUnit.DAY));
        LocalDate second = LocalDate.parse("2026-03-08");
        LocalDate end = LocalDate.parse("2026-03-14");
        throttle.scoreAndCheck(BOARD, FIRST, LocalDate.parse("2026-03-07"), List.of(), "ann", "30");
        throttle.lines();
        throttle.accept(new Effect.LeaderboardStarted(throttle.now(), new UUID(0, 11), BOARD, second, end));
        assertEquals(List.of(), throttle.forwarded());

        // More moves than can be undone, but of one user.
        for (int i = 0; i < 1_200; i++) {
            throttle.score(BOARD, second, end, List.of(), "ann", "" + (i + 1));
        }
        throttle.check();
        assertEquals(List.of("ann null/null -> 1/1200"), throttle.lines());
    }

    @Test
    void shouldDistinguishANewLeaderboardOfTheSameKey() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        throttle.lines();

        // The new leaderboard has another number, so the former moves do not apply to it.
        throttle.rules(ASKING, TestLeaderboard.ofMetric(12, "laps").from("2026-03-01"));
        throttle.after(Duration.ofHours(1));
        assertEquals(List.of(), throttle.lines());
        assertEquals(Map.of(), throttle.store());
    }

    // Groups.

    private void move(String user, String value, String from, String to) {
        LeaderboardEvent left = throttle.scored(BOARD, FIRST, null, List.of(from), user, "0");
        LeaderboardEvent came = throttle.scored(BOARD, FIRST, null, List.of(to), user, value);
        throttle.accept(left);
        throttle.accept(came);
    }

    @Test
    void shouldSendAMoveBetweenGroupsAsOneChange() {
        throttle.rules(ASKING, perpetual().by("city"));
        throttle.score(BOARD, FIRST, null, List.of("Turku"), "ann", "30");
        throttle.score(BOARD, FIRST, null, List.of("Turku"), "bob", "20");
        throttle.scoreAndCheck(BOARD, FIRST, null, List.of("Oulu"), "cem", "40");
        throttle.lines();
        throttle.after(Duration.ofMinutes(15));

        move("ann", "30", "Turku", "Oulu");
        throttle.check();
        List<JsonNode> bodies = throttle.bodies();
        assertEquals(
                List.of("ann", "bob"),
                bodies.stream().map(body -> body.at("/user/id").asString()).toList());
        JsonNode ann = bodies.getFirst().get("leaderboard");
        assertEquals(1, ann.get("previousRank").asInt());
        assertEquals(2, ann.get("rank").asInt());
        assertEquals("Oulu", ann.get("breakdownAttributeValue").asString());

        // No group has the user twice.
        throttle.after(Duration.ofMinutes(15));
        throttle.scoreAndCheck(BOARD, FIRST, null, List.of("Turku"), "dot", "1");
        assertEquals(List.of("dot null/null -> 2/1"), throttle.lines());
    }

    @Test
    void shouldSendAUserOncePerWindowInAllGroups() {
        throttle.rules(ASKING, perpetual().by("city"));
        throttle.scoreAndCheck(BOARD, FIRST, null, List.of("Turku"), "ann", "30");
        throttle.lines();

        move("ann", "30", "Turku", "Oulu");
        throttle.check();
        assertEquals(List.of(), throttle.lines());
        throttle.after(Duration.ofMinutes(15));
        List<JsonNode> bodies = throttle.bodies();
        assertEquals(1, bodies.size());
        // The rank is the same, but in another group.
        assertEquals(
                "Oulu",
                bodies.getFirst().at("/leaderboard/breakdownAttributeValue").asString());
        assertEquals(1, bodies.getFirst().at("/leaderboard/previousRank").asInt());
        assertEquals(1, bodies.getFirst().at("/leaderboard/rank").asInt());
    }

    // Large groups.

    private void fill(int users) {
        throttle.rules("", perpetual());
        for (int i = 0; i < users; i++) {
            throttle.scored(BOARD, FIRST, null, List.of(), "u%04d".formatted(i), "" + (users - i));
        }
        start();
    }

    @Test
    void shouldSendAThousandChangesInSeveralChecks() {
        fill(1_000);
        throttle.scoreAndCheck(BOARD, "u0999", "5000");

        var lines = new ArrayList<>(throttle.lines());
        assertEquals(LeaderboardThrottle.MAX_SENT, lines.size());
        for (int i = 0; i < 3; i++) {
            throttle.check();
            lines.addAll(throttle.lines());
        }
        throttle.check();
        assertEquals(List.of(), throttle.lines());
        assertEquals(1_000, lines.size());
        assertEquals("u0999 1000/1 -> 1/5000", lines.getFirst());
        assertEquals("u0998 999/2 -> 1000/2", lines.getLast());
    }

    /** Tries each number of writes that a crash may lose. */
    @Test
    void shouldSendEachChangeWhenACrashLosesTheLastWrites() {
        fill(5);
        throttle.score(BOARD, "u0004", "5000");
        List<KeyValue<Bytes, byte[]>> heard = throttle.written();
        throttle.check();
        List<KeyValue<Bytes, byte[]>> told = throttle.written();
        Set<UUID> ids = ids();
        assertEquals(5, ids.size());

        for (int kept = 0; kept <= told.size(); kept++) {
            var written = new ArrayList<>(heard);
            written.addAll(told.subList(0, kept));
            throttle.restartAfterCrash(written);
            throttle.after(Duration.ofSeconds(1));
            throttle.check();
            assertEquals(ids, ids(), "of " + told.size() + " entries " + kept + " were kept");
            throttle.after(Duration.ofDays(1));
            assertEquals(Set.of(), ids(), "of " + told.size() + " entries " + kept + " were kept");
        }
    }

    private Set<UUID> ids() {
        return throttle.forwarded().stream().map(HookEvent::id).collect(Collectors.toSet());
    }

    @Test
    void shouldNotDelayOthersForAUserWhoCannotBeRead() {
        throttle.rules(ASKING, perpetual(), TestLeaderboard.ofMetric(12, "laps").from("2026-03-01"));
        throttle.score(BOARD, "ann", "30");
        throttle.fallBehind();
        throttle.score(BOARD, "ann", "40");
        throttle.scoreAndCheck("board-12", "bob", "30");

        assertEquals(List.of("bob null/null -> 1/30"), throttle.lines());
    }

    @Test
    void shouldNotSendChangesOfAnErasedUser() {
        startWith("ann 30", "bob 20");
        throttle.erase("ann");
        throttle.scoreAndCheck(BOARD, "ann", "0");

        assertEquals(List.of("bob 2/20 -> 1/20"), throttle.lines());
    }

    @Test
    void shouldContinueAfterARestartAndALeapOfDays() {
        startWith("ann 30", "bob 20");
        throttle.scoreAndCheck(BOARD, "bob", "40");
        throttle.lines();
        throttle.score(BOARD, "ann", "50");
        throttle.restart();
        throttle.check();
        assertEquals(List.of(), throttle.lines());

        throttle.after(Duration.ofDays(4));
        assertEquals(List.of("ann 2/30 -> 1/50", "bob 1/40 -> 2/40"), throttle.lines());
    }

    @Test
    void shouldSendAnEventThatIsReadTwiceAsOne() {
        startWith("ann 30", "bob 20");
        LeaderboardEvent event = throttle.scored(BOARD, FIRST, null, List.of(), "bob", "40");
        throttle.accept(event);
        throttle.accept(event);
        throttle.check();
        throttle.accept(event);
        throttle.after(Duration.ofHours(1));

        assertEquals(List.of("bob 2/20 -> 1/40", "ann 1/30 -> 2/30"), throttle.lines());
    }
}
