package dev.laurel.deploy.bench.load;

import java.util.Collection;
import java.util.stream.DoubleStream;

/** Computes medians, on which a single disturbed measurement has no influence. */
public final class Median {

    private Median() {}

    /** Returns the mean of the two middle values for an even number of values, and 0 for none. */
    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue));
    }

    /** Returns the mean of the two middle values for an even number of values, and 0 for none. */
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        int upper = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
    }
}
