package dev.laurel.deploy.bench;

import java.util.stream.DoubleStream;

/** The middle of a few measurements: one slice in which the machine was busy elsewhere does not move it. */
final class Median {

    private Median() {}

    /** The mean of the two middle values when there is an even number of them, 0 when there is none. */
    static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        int upper = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
    }
}
