package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.ruleset.Ruleset;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/**
 * The work of one tick when the timers of all users are due at once; {@code -Dlaurel.midnight.users} sets their number. Prints the
 * thread's own time, which does not depend on the load of the machine.
 */
class MidnightTest {

    private static final int USERS = Integer.getInteger("laurel.midnight.users", 1_000);
    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String MIDNIGHT = "2026-03-05T10:00:00Z";

    @Test
    void shouldDoNoMoreAtTheLastTickThanAtTheFirst() {
        var published = new Published();
        Ruleset ruleset = published.add(TestRulesets.first("""
            metrics: {laps: {}}
            streak: {enabled: false}
            points: {gems: {triggers: {daily: {type: time, timeUnit: days, timeInterval: 1, points: 1}}}}
            """));
        try (var ledger = new LedgerDriver(published)) {
            ledger.publish(ruleset, AT);
            for (int i = 0; i < USERS; i++) {
                ledger.produce(
                        "user-" + i,
                        "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"user-" + i + "\"}}",
                        AT);
                if (i % 1_000 == 0) {
                    ledger.effects();
                }
            }
            ledger.effects();
            var threads = ManagementFactory.getThreadMXBean();
            var tickMs = new ArrayList<Double>();
            int fired = 0;
            boolean isMoreDue;
            do {
                long startedNs = threads.getCurrentThreadCpuTime();
                isMoreDue = ledger.askTick(MIDNIGHT);
                tickMs.add((threads.getCurrentThreadCpuTime() - startedNs) / 1e6);
                int effects = ledger.effects().size();
                assertTrue(effects <= TimerSweeper.MAX_WOKEN, "at one tick: " + effects);
                fired += effects;
            } while (isMoreDue);

            assertEquals(USERS, fired);
            print(tickMs);
        }
    }

    private static void print(ArrayList<Double> tickMs) {
        int n = tickMs.size();
        double firstMs = tickMs.subList(n / 10, n / 5).stream()
                .mapToDouble(ms -> ms)
                .average()
                .orElse(0);
        double lastMs = tickMs.subList(n - n / 10 - 1, n).stream()
                .mapToDouble(ms -> ms)
                .average()
                .orElse(0);
        double sumMs = tickMs.stream().mapToDouble(ms -> ms).sum();
        Collections.sort(tickMs);
        System.out.printf(
                "%,d users due at once: %,d ticks, CPU per tick p50 %.2f ms, p99 %.2f ms, max %.1f ms; "
                        + "second tenth %.2f ms, last tenth %.2f ms; %.1f s in all.%n",
                USERS, n, tickMs.get(n / 2), tickMs.get(n * 99 / 100), tickMs.getLast(), firstMs, lastMs, sumMs / 1000);
    }
}
