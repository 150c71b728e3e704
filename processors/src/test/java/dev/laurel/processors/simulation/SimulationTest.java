package dev.laurel.processors.simulation;

import org.junit.jupiter.api.Test;

/**
 * Random histories through the real topology, checked against {@link SimulationModel}. A failure names its seed; to see it
 * again: {@code mvn test -pl processors -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dlaurel.simulation.seed=… -Dlaurel.simulation.steps=…}.
 */
class SimulationTest {

    private static final int DEFAULT_STEPS = 400;
    private static final int DEFAULT_SEEDS = 2;

    @Test
    void shouldAgreeWithTheModelWhateverHappens() {
        Long given = Long.getLong("laurel.simulation.seed");
        int steps = Integer.getInteger("laurel.simulation.steps", DEFAULT_STEPS);
        for (long seed = given != null ? given : 1; seed <= (given != null ? given : DEFAULT_SEEDS); seed++) {
            try (var simulation = new Simulation(seed)) {
                simulation.run(steps);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dlaurel.simulation.seed=" + seed + " -Dlaurel.simulation.steps=" + steps
                        + ": " + e.getMessage(), e);
            }
        }
    }
}
