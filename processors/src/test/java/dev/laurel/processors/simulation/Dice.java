package dev.laurel.processors.simulation;

import java.util.List;
import java.util.Random;

/** The seeded random choices of a workload. */
final class Dice {

    private final Random random;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    /** 0 to {@code limit - 1}. */
    int below(int limit) {
        return random.nextInt(limit);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
