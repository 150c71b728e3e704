package dev.laurel.processors.boardsim;

import org.junit.jupiter.api.Test;

/**
 * Random histories through the real ledger and the real leaderboards, compared continuously with a second implementation
 * of the rules. A failure names its seed. To repeat one: {@code mvn test -pl processors -am -Dtest=LeaderboardSimulationTest
 * -Dsurefire.failIfNoSpecifiedTests=false} with {@code -Dlaurel.simulation.seed=…}, {@code -Dlaurel.simulation.steps=…};
 * {@code -Dlaurel.simulation.minutes=…} tries new seeds until then.
 */
class LeaderboardSimulationTest {

    private static final int DEFAULT_STEPS = 220;
    private static final int DEFAULT_SEEDS = 3;
    private static final int FULL_MINUTES = 15;

    @Test
    void shouldRankAsTheRulesSayWhateverHappens() {
        int steps = Integer.getInteger("laurel.simulation.steps", DEFAULT_STEPS);
        Long given = Long.getLong("laurel.simulation.seed");
        Integer minutes = Integer.getInteger(
                "laurel.simulation.minutes", Boolean.getBoolean("laurel.full") ? FULL_MINUTES : null);
        if (given != null) {
            LeaderboardSimulation.run(given, steps);
            return;
        }
        long first = minutes == null ? 1 : System.currentTimeMillis();
        long endNs = System.nanoTime() + (minutes == null ? 0 : minutes) * 60_000_000_000L;
        long seed = first;
        for (; minutes == null ? seed < first + DEFAULT_SEEDS : System.nanoTime() < endNs; seed++) {
            LeaderboardSimulation.run(seed, steps);
        }
        System.out.printf("%,d histories of %,d steps, seeds from %d: no failure%n", seed - first, steps, first);
    }
}
