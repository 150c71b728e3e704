package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardSchedule;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The time that is sent to leaderboards, and the ticks that are requested to move it. The driver's wall clock starts in 1970; the
 * leaderboards have two partitions.
 */
class LeaderboardClockTest {

    private static final String RULES = "metrics: {laps: {}}";
    private static final String START = "1970-01-01T00:00:01Z";

    private final Published published = new Published();

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    private Ruleset publish(Ruleset rules) {
        ledger.publish(published.add(rules), START);
        ledger.told();
        return rules;
    }

    private static Ruleset withBoard() {
        return TestLeaderboard.first(RULES, board());
    }

    private static TestLeaderboard board() {
        return TestLeaderboard.ofMetric(900, "laps").from("1970-01-01");
    }

    private static long ms(String at) {
        return Instant.parse(at).toEpochMilli();
    }

    /** The times sent to both partitions since the last call; no client waits for an answer. */
    private List<Instant> moves() {
        List<Told> told = ledger.told();
        assertTrue(told.stream().map(Told::replyTo).allMatch(Objects::isNull));
        return movesIn(told);
    }

    private static List<Instant> movesIn(List<Told> told) {
        var times = told.stream()
                .filter(t -> t.message() instanceof ClockMoved)
                .map(t -> ((ClockMoved) t.message()).nowMs())
                .toList();
        assertEquals(0, times.size() % 2, "one for each partition");
        for (int i = 0; i < times.size(); i += 2) {
            assertEquals(times.get(i), times.get(i + 1));
        }
        return IntStream.range(0, times.size() / 2)
                .mapToObj(i -> Instant.ofEpochMilli(times.get(2 * i)))
                .toList();
    }

    private void tick(String at) {
        ledger.mark(new Tick(), at);
    }

    @Test
    void shouldMoveWithTheFirstTickAndWithEachTickThatPassesAMoment() {
        publish(withBoard());
        List<String> past = List.of(
                "1970-01-01T09:00:00Z",
                "1970-01-01T10:00:00Z",
                "1970-01-01T13:00:00Z",
                "1970-01-02T00:00:00Z",
                "1970-01-05T11:00:00Z",
                "1970-01-05T12:00:00.001Z");
        for (String at : past) {
            tick(at);
            assertEquals(List.of(Instant.parse(at)), moves());
        }
        for (String at : List.of("1970-01-05T12:00:00.001Z", "1970-01-05T23:59:59.999Z", "1970-01-04T12:00:00Z")) {
            tick(at);
            assertEquals(List.of(), moves(), at);
        }
    }

    @Test
    void shouldSendTheTimeOfTheTick() {
        publish(withBoard());
        tick("1970-01-01T09:00:00Z");

        for (Told told : ledger.told()) {
            assertEquals(1, told.origin().offset());
            assertEquals(0, told.origin().partition());
            assertEquals(Instant.parse("1970-01-01T09:00:00Z"), told.at());
            assertNull(told.key());
        }
    }

    @Test
    void shouldRememberItsTime() {
        publish(withBoard());
        tick("1970-01-01T13:00:00Z");
        ledger = ledger.restarted();
        tick("1970-01-01T14:00:00Z");

        assertEquals(List.of(), moves());
    }

    @Test
    void shouldNotMoveWhileTimersAreHeld() {
        publish(withBoard());
        ledger.mark(new TimersHeld("import"), START);
        tick("1970-01-01T13:00:00Z");
        assertEquals(List.of(), moves());

        ledger.mark(new TimersReleased("import"), START);
        tick("1970-01-01T13:00:00Z");
        assertEquals(List.of(Instant.parse("1970-01-01T13:00:00Z")), moves());
    }

    @Test
    void shouldNotMoveBeforeAllDueTimersHaveFired() {
        publish(withBoard());
        for (int i = 0; i <= TimerSweeper.MAX_WOKEN; i++) {
            ledger.produce(
                    "u" + i,
                    "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"u" + i + "\"}}",
                    START);
        }
        ledger.told();
        tick("1970-01-03T00:00:00Z");
        assertEquals(List.of(), moves(), "one streak is not lost yet");

        tick("1970-01-03T00:00:00Z");
        assertEquals(List.of(Instant.parse("1970-01-03T00:00:00Z")), moves());
    }

    @Test
    void shouldLetLeaderboardsAnswerAClientWhenNothingElseIsDue() {
        publish(withBoard());
        for (int i = 0; i <= TimerSweeper.MAX_WOKEN; i++) {
            ledger.produce(
                    "u" + i,
                    "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"u" + i + "\"}}",
                    START);
        }
        ledger.told();
        assertTrue(ledger.askTick("1970-01-03T00:00:00Z"));
        assertEquals(List.of(), ledger.answered().getLast().awaits());
        assertEquals(List.of(), moves());

        assertFalse(ledger.askTick("1970-01-03T00:00:00Z"));
        assertEquals(List.of("0", "1"), ledger.answered().getLast().awaits());
        assertAsked("1970-01-03T00:00:00Z");
    }

    private void assertAsked(String clock) {
        List<Told> told = ledger.told();
        told.forEach(t -> assertNotNull(t.replyTo()));
        assertEquals(
                ledger.answered().getLast().requestId(),
                told.getLast().replyTo().requestId());
        assertEquals(List.of(Instant.parse(clock)), movesIn(told));
    }

    @Test
    void shouldSendTheTimeForAWaitingClientEvenIfItHasNotMoved() {
        publish(withBoard());
        tick("1970-01-01T13:00:00Z");
        ledger.told();
        ledger.askTick("1970-01-01T14:00:00Z");

        assertEquals(List.of("0", "1"), ledger.answered().getLast().awaits());
        assertAsked("1970-01-01T13:00:00Z");
    }

    @Test
    void shouldSendTheFormerTimeForAWaitingClientWhileTimersAreHeld() {
        publish(withBoard());
        ledger.mark(new TimersHeld("import"), START);
        ledger.askTick("1970-01-01T14:00:00Z");

        assertEquals(List.of("0", "1"), ledger.answered().getLast().awaits());
        List<Told> told = ledger.told();
        assertEquals(2, told.size());
        told.forEach(t -> assertEquals(new ClockMoved(LeaderboardSchedule.NEVER_SET), t.message()));
    }

    @Test
    void shouldRequestATickAtEachMomentIfThereIsALeaderboard() {
        publish(withBoard());
        ledger.passTime(Duration.ofHours(9));
        assertEquals(1, ledger.ticksSent().size(), "the clock is not set yet");
        tick("1970-01-01T09:00:00Z");
        ledger.passTime(Duration.ofMinutes(59));
        assertEquals(1, ledger.ticksSent().size());

        ledger.passTime(Duration.ofMinutes(1));
        assertEquals(ms("1970-01-01T10:00:00Z"), ledger.ticksSent().getLast());
        tick("1970-01-01T10:00:00Z");
        ledger.passTime(Duration.ofHours(2));
        assertEquals(ms("1970-01-01T12:00:00Z"), ledger.ticksSent().getLast());
        tick("1970-01-01T12:00:00Z");
        ledger.passTime(Duration.ofHours(12));
        assertEquals(ms("1970-01-02T00:00:00Z"), ledger.ticksSent().getLast());
        assertEquals(4, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestNoTicksWithoutLeaderboards() {
        publish(TestLeaderboard.first(RULES));
        ledger.passTime(Duration.ofDays(2));

        assertEquals(List.of(), ledger.ticksSent());
    }

    @Test
    void shouldRequestTicksFromTheFirstRulesetWithALeaderboard() {
        Ruleset first = publish(TestLeaderboard.first(RULES));
        ledger.passTime(Duration.ofHours(9));
        publish(TestLeaderboard.next(first, RULES, Instant.EPOCH, board()));
        ledger.passTime(Duration.ofSeconds(1));

        assertEquals(1, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestTicksUntilTheLastLeaderboardIsFinal() {
        publish(TestLeaderboard.first(RULES, board().to("1970-01-01")));
        ledger.passTime(Duration.ofHours(35));
        tick("1970-01-02T11:00:00Z");
        ledger.passTime(Duration.ofHours(1));
        assertEquals(ms("1970-01-02T12:00:00Z"), ledger.ticksSent().getLast());
        int ticks = ledger.ticksSent().size();
        tick("1970-01-02T12:00:00Z");
        ledger.passTime(Duration.ofDays(3));

        assertEquals(ticks, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestTicksAfterARestartBeforeAnyCommand() {
        publish(withBoard());
        tick("1970-01-01T00:00:02Z");
        ledger = ledger.restarted();
        ledger.passTime(Duration.ofHours(10));

        assertEquals(List.of(ms("1970-01-01T10:00:00Z")), ledger.ticksSent());
    }

    @Test
    void shouldRequestTicksDuringASweepAfterARestart() {
        Ruleset first = publish(TestLeaderboard.first(RULES));
        ledger.produce("ann", "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"ann\"}}", START);
        publish(TestLeaderboard.next(first, "metrics: {laps: {}}\nstreak: {enabled: false}", Instant.EPOCH, board()));
        ledger = ledger.restarted();
        ledger.passTime(Duration.ofSeconds(1));
        tick("1970-01-01T00:00:02Z");

        assertEquals(List.of(Instant.parse("1970-01-01T00:00:02Z")), moves());
        ledger.passTime(Duration.ofHours(10));
        assertEquals(2, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestNoTicksWhileTimersAreHeld() {
        publish(withBoard());
        ledger.mark(new TimersHeld("import"), START);
        ledger.passTime(Duration.ofDays(1));

        assertEquals(List.of(), ledger.ticksSent());
    }

    /** The time of leaderboards is that of all partitions, and others may have users of a tenant with leaderboards. */
    @Test
    void shouldRequestTicksForTenantsThatItDoesNotKnow() {
        ledger.passTimeTo("1970-01-03T00:00:00Z");
        assertEquals(List.of(), ledger.ticksSent());

        published.add(TestRulesets.next(Ruleset.empty(new TenantId("acme")), RULES, Instant.EPOCH));
        ledger.passTime(Duration.ofSeconds(1));

        assertEquals(1, ledger.ticksSent().size());
    }
}
