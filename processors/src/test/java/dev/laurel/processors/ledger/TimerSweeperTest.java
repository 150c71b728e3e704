package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The work for inactive users at one tick, and its completion by further ticks. The wall clock starts in 1970. */
class TimerSweeperTest {

    private static final String AT = "1970-01-01T12:00:00Z";
    private static final String NEXT_DAY = "1970-01-02T12:00:00Z";
    private static final String HOURLY = """
        metrics: {laps: {}}
        streak: {enabled: false}
        points: {gems: {triggers: {hourly: {type: time, timeUnit: hours, timeInterval: 1, points: 1}}}}
        """;
    private static final String DAILY = HOURLY.replace("hours", "days").replace("hourly", "daily");
    private static final String PLAIN = "{metrics: {laps: {}}, streak: {enabled: false}}";
    private static final String TEN =
            PLAIN.replace("}, streak", "}, achievements: {ten: {trigger: metric, metric: laps, value: 10}}, streak");

    private final Published published = new Published();

    @AutoClose
    private final LedgerDriver ledger = new LedgerDriver(published);

    private Ruleset current;

    private void publish(String yaml, String at) {
        current = published.add(
                current == null ? TestRulesets.first(yaml) : TestRulesets.next(current, yaml, Instant.parse(at)));
        ledger.publish(current, at);
    }

    private void swim(int users, int laps) {
        for (int i = 0; i < users; i++) {
            swim("user-" + i, laps, AT);
        }
    }

    private void swim(String user, int laps, String at) {
        ledger.produce(
                user,
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user + "\"}}",
                at);
    }

    private UserState user(String id) {
        return ledger.reader().user(id.getBytes(UTF_8));
    }

    private long gems(String id) {
        return user(id).points()
                .get(current.pointsSystems().getFirst().number())
                .total();
    }

    private long completions() {
        return ledger.completionCount(
                TenantId.NONE, current.achievements().getFirst().number());
    }

    private int entries(String store) {
        return ledger.contents().get(store).size();
    }

    private boolean isSweeping() {
        return ledger.contents().get("partition-state").keySet().stream().anyMatch(key -> key.startsWith("53"));
    }

    @Test
    void shouldWakeALimitedNumberOfUsersPerTick() {
        publish(DAILY, AT);
        int users = TimerSweeper.MAX_WOKEN + 5;
        swim(users, 1);
        ledger.effects();

        ledger.mark(new Tick(), NEXT_DAY);
        assertEquals(TimerSweeper.MAX_WOKEN, ledger.effects().size());
        assertEquals(users, entries("timers"));

        ledger.mark(new Tick(), NEXT_DAY);
        assertEquals(5, ledger.effects().size());
        for (int i = 0; i < users; i++) {
            assertEquals(1, gems("user-" + i));
        }
    }

    @Test
    void shouldRequestTheNextTickAtOnceWhileMoreIsDue() {
        publish(DAILY, AT);
        swim(TimerSweeper.MAX_WOKEN + 5, 1);
        ledger.passTime(Duration.ofHours(36));
        assertEquals(1, ledger.ticksSent().size());
        ledger.mark(new Tick(), NEXT_DAY);
        assertEquals(2, ledger.ticksSent().size());
        ledger.mark(new Tick(), NEXT_DAY);
        assertEquals(2, ledger.ticksSent().size(), "nothing is left");
    }

    @Test
    void shouldFireALimitedNumberOfDueTimesPerTick() {
        publish(HOURLY, AT);
        swim("ann", 1, AT);
        swim("bea", 1, AT);
        String muchLater = "1970-02-01T12:00:00Z";

        assertTrue(ledger.askTick(muchLater));
        assertEquals(TimerSweeper.MAX_MOMENTS, gems("ann"));
        int ticks = 1;
        while (ledger.askTick(muchLater)) {
            ticks++;
        }
        assertEquals(31 * 24, gems("ann"));
        assertEquals(31 * 24, gems("bea"));
        assertEquals(31 * 24 / TimerSweeper.MAX_MOMENTS, ticks);
    }

    @Test
    void shouldReachTheSameStateInPortionsAndAtOnce() {
        publish(HOURLY, AT);
        swim("ann", 1, AT);
        String muchLater = "1970-01-20T12:00:00Z";
        try (var other = new LedgerDriver(published)) {
            ledger.log().forEach(other::pipe);
            other.produce("ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}", muchLater);
            assertFalse(other.askTick(muchLater));
            while (ledger.askTick(muchLater)) {
                assertTrue(gems("ann") < 19 * 24);
            }
            ledger.produce("ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}", muchLater);

            for (String store : List.of("users", "points-ledger", "timers")) {
                assertEquals(other.contents().get(store), ledger.contents().get(store), store);
            }
        }
    }

    @Test
    void shouldProcessACommandBetweenTwoTicks() {
        publish(DAILY, AT);
        swim(TimerSweeper.MAX_WOKEN + 5, 1);
        assertTrue(ledger.askTick(NEXT_DAY));
        swim("zoe", 3, NEXT_DAY);

        assertEquals(1, user("zoe").sequence());
        assertFalse(ledger.askTick(NEXT_DAY));
    }

    @Test
    void shouldRequestNoTickBeforeItHasReadTheLog() {
        publish(DAILY, "1970-01-01T00:00:01Z");
        swim("ann", 1, "1970-01-01T00:00:02Z");
        ledger.lagBehind(true);
        ledger.passTime(Duration.ofDays(2));
        assertEquals(List.of(), ledger.ticksSent());

        ledger.lagBehind(false);
        ledger.passTime(Duration.ofMillis(250));
        assertEquals(1, ledger.ticksSent().size());
    }

    @Test
    void shouldCompleteABackdatedAchievementOfInactiveUsers() {
        publish(PLAIN, AT);
        int users = TimerSweeper.MAX_WOKEN + 5;
        swim(users, 12);
        swim("slow", 3, AT);
        publish(TEN, "1970-01-01T13:00:00Z");
        assertEquals(0, completions());
        ledger.effects();

        ledger.passTime(Duration.ofHours(14));
        assertEquals(1, ledger.ticksSent().size());
        assertTrue(ledger.askTick("1970-01-01T14:00:00Z"));
        assertEquals(TimerSweeper.MAX_WOKEN, completions() + (user("slow").rulesVersion() - 1));
        assertFalse(ledger.askTick("1970-01-01T14:00:00Z"));

        assertEquals(users, completions());
        assertFalse(isSweeping());
        assertEquals(List.of(), ledger.effects(), "backdating is silent");
        int ten = current.achievements().getFirst().number();
        assertEquals(
                Instant.parse("1970-01-01T13:00:00Z").toEpochMilli(),
                user("user-7").completions().get(ten));
        assertNull(user("slow").completions().get(ten));
    }

    @Test
    void shouldSkipUsersWhoAlreadyMigrated() {
        publish(PLAIN, AT);
        swim(TimerSweeper.MAX_WOKEN, 12);
        publish(TEN, "1970-01-01T13:00:00Z");
        swim("user-7", 1, "1970-01-01T13:30:00Z");
        UserState before = user("user-7");
        assertEquals(1, completions());

        while (ledger.askTick("1970-01-01T14:00:00Z")) {
            assertTrue(isSweeping());
        }
        assertEquals(before, user("user-7"));
        assertEquals(TimerSweeper.MAX_WOKEN, completions());
    }

    @Test
    void shouldStartAgainWhenRulesChangeDuringASweep() {
        publish(PLAIN, AT);
        int users = TimerSweeper.MAX_WOKEN + 5;
        swim(users, 12);
        publish(TEN, "1970-01-01T13:00:00Z");
        assertTrue(ledger.askTick("1970-01-01T14:00:00Z"));
        publish(
                TEN.replace("value: 10}", "value: 10}, two: {trigger: metric, metric: laps, value: 2}"),
                "1970-01-01T15:00:00Z");

        while (ledger.askTick("1970-01-01T16:00:00Z")) {
            assertTrue(isSweeping());
        }
        for (var achievement : current.achievements()) {
            assertEquals(users, ledger.completionCount(TenantId.NONE, achievement.number()));
        }
    }

    @Test
    void shouldNotSweepForRulesThatCanWait() {
        publish(PLAIN, AT);
        swim(3, 1);
        publish(PLAIN.replace("laps: {}", "laps: {}, dives: {}"), "1970-01-01T13:00:00Z");

        assertFalse(isSweeping());
        assertEquals(1, user("user-1").rulesVersion());
    }

    @Test
    void shouldNotSweepWithoutUsers() {
        publish(TEN, AT);

        assertFalse(isSweeping());
    }

    @Test
    void shouldGiveInactiveUsersTheTimersOfANewTrigger() {
        publish(PLAIN, AT);
        swim("ann", 1, AT);
        assertEquals(0, entries("timers"));
        publish(DAILY, "1970-01-01T13:00:00Z");
        assertFalse(ledger.askTick("1970-01-01T14:00:00Z"));
        assertEquals(1, entries("timers"));

        assertFalse(ledger.askTick("1970-01-02T13:00:00Z"));
        assertEquals(1, gems("ann"));
    }

    @Test
    void shouldNotSweepWhileTimersAreHeld() {
        publish(PLAIN, AT);
        swim("ann", 12, AT);
        publish(TEN, AT);
        ledger.mark(new TimersHeld("import"), AT);
        ledger.passTime(Duration.ofDays(1));
        assertFalse(ledger.askTick(NEXT_DAY), "nothing fires, and nothing would at the next one");
        assertEquals(0, completions());
        assertEquals(List.of(), ledger.ticksSent());

        ledger.mark(new TimersReleased("import"), AT);
        assertFalse(ledger.askTick(NEXT_DAY));
        assertEquals(1, completions());
    }

    @Test
    void shouldReachTheSameStateFromTheSameLog() {
        publish(PLAIN, AT);
        swim(TimerSweeper.MAX_WOKEN + 5, 12);
        publish(TEN, "1970-01-01T13:00:00Z");
        ledger.askTick("1970-01-01T14:00:00Z");
        publish(DAILY, "1970-01-01T15:00:00Z");
        ledger.passTime(Duration.ofDays(3));
        ledger.askTick(NEXT_DAY);
        ledger.askTick("1970-01-03T15:00:00Z");
        try (var again = new LedgerDriver(published)) {
            ledger.log().forEach(again::pipe);

            assertEquals(ledger.contents(), again.contents());
        }
    }
}
