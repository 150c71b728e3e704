package dev.laurel.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Computes medians, on which a single disturbed measurement has no influence. The median of an even number of values is the mean of the
 * two middle ones; that of none is 0.
 */
final class Median {

    private Median() {}

    static <T> double of(Collection<T> items, ToDoubleFunction<T> value) {
        double[] values = items.stream().mapToDouble(value).toArray();
        Arrays.sort(values);
        return ofSorted(values);
    }

    static double of(Collection<Double> values) {
        return of(values, Double::doubleValue);
    }

    static double ofSorted(double[] sorted) {
        int upper = sorted.length / 2;
        if (sorted.length % 2 == 1) {
            return sorted[upper];
        }
        return sorted.length == 0 ? 0 : (sorted[upper - 1] + sorted[upper]) / 2;
    }
}
