package dev.laurel.processors.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random histories through the real topology, checked after each step. A failure shows its seed and a short history that fails
 * in the same way. To repeat one, or to search for others:
 * {@code mvn test -pl processors -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false}
 * with {@code -Dlaurel.simulation.seed=…} (one history), {@code -Dlaurel.simulation.steps=…} (of each history) or
 * {@code -Dlaurel.simulation.minutes=…} (new seeds until then, half of the time for each kind of workload).
 */
class SimulationTest {

    private static final int DEFAULT_STEPS = 750;
    private static final int DEFAULT_SEEDS = 2;
    private static final int FULL_MINUTES = 15;
    private static final Duration SHRINKING = Duration.ofSeconds(20);

    @Test
    void shouldKeepEveryPropertyWhateverHappens() {
        runAll(Workload.Kind.RICH);
    }

    @Test
    void shouldAgreeWithTheModelWhereThatKnowsTheRules() {
        runAll(Workload.Kind.PLAIN);
    }

    private static void runAll(Workload.Kind kind) {
        int steps = Integer.getInteger("laurel.simulation.steps", DEFAULT_STEPS);
        Long given = Long.getLong("laurel.simulation.seed");
        Integer minutes = Integer.getInteger(
                "laurel.simulation.minutes", Boolean.getBoolean("laurel.full") ? FULL_MINUTES : null);
        if (given != null) {
            run(kind, given, steps);
            return;
        }
        // Each long run has new seeds, every build the same ones.
        long first = minutes == null ? 1 : System.currentTimeMillis();
        long endNs = System.nanoTime()
                + Duration.ofMinutes(minutes == null ? 0 : minutes)
                        .dividedBy(Workload.Kind.values().length)
                        .toNanos();
        long seed = first;
        for (; minutes == null ? seed < first + DEFAULT_SEEDS : System.nanoTime() < endNs; seed++) {
            run(kind, seed, steps);
        }
        System.out.printf(
                "%,d histories of %,d steps, %s, seeds from %d: no failure%n", seed - first, steps, kind, first);
    }

    private static void run(Workload.Kind kind, long seed, int steps) {
        String failure = Simulation.examine(kind, seed, steps, () -> Simulation.checks(kind), SHRINKING);
        assertNull(failure, failure);
    }

    /** Fails if there are users under the second ruleset. */
    private static final class NobodyAfterTheSecondRuleset implements Check {
        @Override
        public void after(World world, World.Turn turn) {
            Checks.that(
                    "somebody is there",
                    world.rules().version() < 2 || world.ledger().users().isEmpty(),
                    () -> world.ledger().users());
        }
    }

    @Test
    void shouldNameTheSeedOfAFailureAndShowAShortHistory() {
        String failure = Simulation.examine(
                Workload.Kind.RICH,
                4,
                200,
                () -> List.of(new PointsCheck(), new NobodyAfterTheSecondRuleset()),
                Duration.ofMinutes(1));

        assertTrue(failure.startsWith("-Dlaurel.simulation.seed=4 -Dlaurel.simulation.steps=200, RICH"), failure);
        // Two rulesets and one user are enough; a slow machine may not find that in time.
        assertTrue(failure.matches("(?s).*\nThe same after [3-9] steps:\n.*"), failure);
        assertTrue(failure.contains("somebody is there: ["), failure);
    }

    @Test
    void shouldBeTheSameHistoryForTheSameSeed() {
        assertEquals(Workload.of(Workload.Kind.RICH, 7, 300), Workload.of(Workload.Kind.RICH, 7, 300));
    }
}
