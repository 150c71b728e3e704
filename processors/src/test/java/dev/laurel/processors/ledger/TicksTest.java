package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timers of inactive users: when ticks are requested, and what a tick does. The driver's wall clock starts in 1970. */
class TicksTest {

    private static final String DAY_1 = "1970-01-01T12:00:00Z";
    private static final String DUE = "1970-01-03T00:00:00Z";

    @AutoClose
    private LedgerDriver ledger;

    @BeforeEach
    void publishRules() {
        var published = new Published();
        Ruleset ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));
        ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "1970-01-01T00:00:01Z");
    }

    private void swim(String user, String at) {
        ledger.produce(
                user, "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"" + user + "\"}}", at);
        ledger.effects();
    }

    private int lengthOf(String user) {
        return ledger.reader().user(user.getBytes(UTF_8)).streak().length();
    }

    private int timers() {
        return ledger.contents().get("timers").size();
    }

    @Test
    void shouldFireTimersThatAreDue() {
        swim("ann", DAY_1);
        swim("bea", "1970-01-02T12:00:00Z");
        ledger.mark(new Tick(), DUE);

        assertEquals(0, lengthOf("ann"));
        assertEquals(1, lengthOf("bea"));
        var effects = ledger.effects();
        assertEquals(1, effects.size());
        assertEquals("streak.lost", effects.getFirst().get("type").asString());
        assertEquals("1970-01-03T00:00:00.000Z", effects.getFirst().get("at").asString());
    }

    @Test
    void shouldFireNothingBeforeItIsDue() {
        swim("ann", DAY_1);
        ledger.mark(new Tick(), "1970-01-02T23:59:59.999Z");

        assertEquals(1, lengthOf("ann"));
        assertEquals(List.of(), ledger.effects());
    }

    @Test
    void shouldFireOnceWhenATickIsRepeated() {
        swim("ann", DAY_1);
        ledger.mark(new Tick(), DUE);
        var after = ledger.contents();
        ledger.effects();
        ledger.mark(new Tick(), DUE);

        assertEquals(after, ledger.contents());
        assertEquals(List.of(), ledger.effects());
        assertEquals(0, timers());
    }

    @Test
    void shouldRescheduleATimerThatFiresTooEarly() {
        swim("ann", DAY_1);
        swim("ann", "1970-01-02T12:00:00Z");
        ledger.mark(new Tick(), DUE);

        assertEquals(2, lengthOf("ann"));
        assertEquals(1, timers());
        ledger.mark(new Tick(), "1970-01-04T00:00:00Z");
        assertEquals(0, lengthOf("ann"));
        assertEquals(0, timers());
    }

    @Test
    void shouldHaveOneTimerPerUser() {
        for (int day = 1; day <= 9; day++) {
            swim("ann", "1970-01-0" + day + "T12:00:00Z");
            assertEquals(1, timers());
        }
    }

    @Test
    void shouldFireNothingWhileTimersAreHeld() {
        swim("ann", DAY_1);
        ledger.mark(new TimersHeld("import"), DAY_1);
        ledger.mark(new Tick(), "1970-02-01T00:00:00Z");
        assertEquals(1, lengthOf("ann"));

        ledger.mark(new TimersReleased("import"), DAY_1);
        ledger.mark(new Tick(), "1970-02-01T00:00:00Z");
        assertEquals(0, lengthOf("ann"));
    }

    @Test
    void shouldFireOnlyWhenEveryHoldIsReleased() {
        swim("ann", DAY_1);
        ledger.mark(new TimersHeld("one"), DAY_1);
        ledger.mark(new TimersHeld("two"), DAY_1);
        ledger.mark(new TimersHeld("one"), DAY_1);
        ledger.mark(new TimersReleased("one"), DAY_1);
        ledger.mark(new Tick(), DUE);
        assertEquals(1, lengthOf("ann"));

        ledger.mark(new TimersReleased("unknown"), DAY_1);
        ledger.mark(new TimersReleased("two"), DAY_1);
        ledger.mark(new Tick(), DUE);
        assertEquals(0, lengthOf("ann"));
    }

    @Test
    void shouldFireAUsersTimersBeforeACommandEvenWhileHeld() {
        swim("ann", DAY_1);
        ledger.mark(new TimersHeld("import"), DAY_1);
        ledger.produce("ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\"}}", DUE);

        assertEquals(0, lengthOf("ann"));
    }

    @Test
    void shouldRequestATickWhenATimerIsDue() {
        swim("ann", DAY_1);
        ledger.passTime(Duration.ofHours(47));
        assertEquals(List.of(), ledger.ticksSent());

        ledger.passTime(Duration.ofHours(1));
        assertEquals(List.of(Instant.parse(DUE).toEpochMilli()), ledger.ticksSent());
        assertEquals(1, lengthOf("ann"), "the tick acts when it is read, not when it is sent");
    }

    @Test
    void shouldAwaitOneTickAtATime() {
        swim("ann", DAY_1);
        ledger.passTime(Duration.ofHours(48));
        for (int second = 0; second < 59; second++) {
            ledger.passTime(Duration.ofSeconds(1));
        }
        assertEquals(1, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestAgainWhenATickIsLost() {
        swim("ann", DAY_1);
        ledger.passTime(Duration.ofHours(48));
        ledger.passTime(Duration.ofSeconds(60));

        assertEquals(2, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestNoTickWhenNothingIsDue() {
        swim("ann", DAY_1);
        ledger.passTime(Duration.ofHours(48));
        ledger.mark(new Tick(), DUE);
        ledger.passTime(Duration.ofHours(1));

        assertEquals(1, ledger.ticksSent().size());
    }

    @Test
    void shouldRequestAgainForATimerThatWasAddedLate() {
        swim("ann", DAY_1);
        ledger.passTime(Duration.ofHours(48));
        ledger.mark(new Tick(), DUE);
        ledger.passTime(Duration.ofHours(24));
        swim("bea", "1970-01-01T13:00:00Z");
        ledger.passTime(Duration.ofSeconds(1));

        assertEquals(2, ledger.ticksSent().size(), "the timer of a late first event is due at once");
    }

    @Test
    void shouldRequestNoTickWhileTimersAreHeld() {
        swim("ann", DAY_1);
        ledger.mark(new TimersHeld("import"), DAY_1);
        ledger.passTime(Duration.ofHours(72));
        assertEquals(List.of(), ledger.ticksSent());

        ledger.mark(new TimersReleased("import"), DAY_1);
        ledger.passTime(Duration.ofSeconds(1));
        assertEquals(1, ledger.ticksSent().size());
    }
}
