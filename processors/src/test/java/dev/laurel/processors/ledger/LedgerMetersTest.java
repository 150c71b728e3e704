package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The meters of the ledger. The driver's wall clock starts in 1970. */
class LedgerMetersTest {

    private static final String DAY_1 = "1970-01-01T12:00:00Z";
    private static final String OVERDUE = "laurel_ledger_timers_overdue_seconds{partition=\"0\"} ";

    @AutoClose
    private LedgerDriver ledger;

    @BeforeEach
    void publishRules() {
        var published = new Published();
        var ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));
        ledger = new LedgerDriver(published);
        ledger.publish(ruleset, "1970-01-01T00:00:01Z");
    }

    private static String laps(String more) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"ann\"}" + more + "}";
    }

    @Test
    void shouldCountEachRecordOnceByOutcome() {
        ledger.ask("ann", laps(",\"idempotencyKey\":\"k\""), DAY_1);
        ledger.ask("ann", laps(",\"idempotencyKey\":\"k\""), DAY_1);
        ledger.produce("ann", laps(""), DAY_1);
        ledger.ask("ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\",\"name\":\"Ann\"}}", DAY_1);
        ledger.ask("ann", "{\"type\":\"event\",\"metric\":\"none\",\"value\":1,\"user\":{\"id\":\"ann\"}}", DAY_1);
        ledger.produce("ann", "{", DAY_1);
        ledger.mark(new Tick(), DAY_1);

        assertEquals(2, ledger.commandsTotal("event"));
        assertEquals(1, ledger.commandsTotal("repeated"));
        assertEquals(1, ledger.commandsTotal("change"));
        assertEquals(1, ledger.commandsTotal("refused"));
        assertEquals(1, ledger.commandsTotal("rejected"));
        assertEquals(2, ledger.commandsTotal("marker"), "the ruleset and the tick");
    }

    @Test
    void shouldMeasureOnlyAnswersToWaitingClients() {
        ledger.produce("ann", laps(""), DAY_1);
        ledger.ask("ann", laps(""), DAY_1);

        assertTrue(ledger.scrape().contains("laurel_ledger_answer_latency_seconds_count 1\n"), ledger.scrape());
    }

    @Test
    void shouldShowHowLongTheOldestTimerHasBeenDue() {
        ledger.produce("ann", laps(""), DAY_1);
        ledger.passTime(Duration.ofHours(12));
        assertTrue(ledger.scrape().contains(OVERDUE + "0.0\n"), ledger.scrape());

        ledger.passTime(Duration.ofHours(37));

        assertTrue(ledger.scrape().contains(OVERDUE + "3600.0\n"), ledger.scrape());
    }

    @Test
    void shouldShowHeldTimersAsHeldAndNotAsOverdue() {
        ledger.produce("ann", laps(""), DAY_1);
        ledger.mark(new TimersHeld("import"), DAY_1);
        ledger.passTime(Duration.ofDays(3));

        assertTrue(ledger.scrape().contains(OVERDUE + "0.0\n"), ledger.scrape());
        assertTrue(ledger.scrape().contains("laurel_ledger_timers_held 1.0\n"));

        ledger.mark(new TimersReleased("import"), DAY_1);
        ledger.passTime(Duration.ofMinutes(1));

        assertTrue(ledger.scrape().contains("laurel_ledger_timers_held 0.0\n"));
    }
}
