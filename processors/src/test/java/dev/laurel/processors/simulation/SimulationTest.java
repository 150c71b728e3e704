package dev.laurel.processors.simulation;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random histories through the real topology, looked at all along. A failure names its seed and shows a short history that
 * fails in the same way. To see one again, or to look for others as long as you like:
 * {@code mvn test -pl processors -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false}
 * with {@code -Dlaurel.simulation.seed=…} (one history), {@code -Dlaurel.simulation.steps=…} (of each history) or
 * {@code -Dlaurel.simulation.minutes=…} (new seeds until then).
 */
class SimulationTest {

    private static final int DEFAULT_STEPS = 750;
    private static final int DEFAULT_SEEDS = 4;
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
        Integer minutes = Integer.getInteger("laurel.simulation.minutes");
        if (given != null) {
            run(kind, given, steps);
            return;
        }
        // New seeds with each long run, the same ones in every build.
        long first = minutes == null ? 1 : System.currentTimeMillis();
        long endNs = System.nanoTime() + Duration.ofMinutes(minutes == null ? 0 : minutes).toNanos();
        for (long seed = first; minutes == null ? seed < first + DEFAULT_SEEDS : System.nanoTime() < endNs; seed++) {
            run(kind, seed, steps);
        }
    }

    private static void run(Workload.Kind kind, long seed, int count) {
        List<Step> steps = Workload.of(kind, seed, count);
        Simulation.Failure failure = Simulation.run(steps, Simulation.checks(kind));
        if (failure != null) {
            List<Step> shorter = Shrinker.shrink(kind, steps, failure, SHRINKING);
            Simulation.Failure again = Simulation.run(shorter, Simulation.checks(kind));
            throw new AssertionError("-Dlaurel.simulation.seed=" + seed + " -Dlaurel.simulation.steps=" + count + ", "
                    + kind + ", step " + failure.steps() + ": " + failure.cause().getMessage() + "\nThe same after "
                    + shorter.size() + " steps:\n" + Step.lines(shorter)
                    + (again == null ? "  (but not always)" : "  " + again.cause().getMessage()), failure.cause());
        }
    }
}
