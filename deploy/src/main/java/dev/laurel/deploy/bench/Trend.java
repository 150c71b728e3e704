package dev.laurel.deploy.bench;

import java.util.Arrays;

/**
 * How a series of measurements grows: the median of the slopes between all pairs of them (Theil 1950), so that a burst of
 * other work on the machine, or a collection of garbage, does not tilt it.
 *
 * @param perHour units of the series per hour
 * @param low lower end of the interval that holds the true slope with 95 % confidence, by Kendall's statistic (Sen 1968);
 *        measurements that depend on their neighbours make it look narrower than it is
 * @param high its upper end
 * @param median of the series itself
 */
public record Trend(double perHour, double low, double high, double median) {
    static final int POINTS_MIN = 8;
    private static final int POINTS_MAX = 4_000;

    /** Of the normal distribution, for 95 % between both ends. */
    private static final double QUANTILE = 1.96;

    /** What may be said of a series. */
    public enum Verdict {
        /** The whole interval lies within what is allowed. */
        FLAT,
        /** The whole interval lies above it. */
        GROWING,
        /** Neither: too few measurements, or too much noise. */
        UNCLEAR
    }

    /**
     * @param hours when each was measured; ascending
     * @throws IllegalArgumentException if there are fewer than 8 or more than 4,000
     */
    static Trend of(double[] hours, double[] values) {
        int points = values.length;
        if (hours.length != points || points < POINTS_MIN || points > POINTS_MAX) {
            throw new IllegalArgumentException("A trend needs " + POINTS_MIN + " to " + POINTS_MAX
                    + " measurements, each with its time: " + hours.length + " times, " + points + " values");
        }
        double[] slopes = slopes(hours, values);
        double spread = QUANTILE * Math.sqrt(points * (points - 1.0) * (2.0 * points + 5) / 18);
        int low = (int) Math.floor((slopes.length - spread) / 2) - 1;
        int high = (int) Math.ceil((slopes.length + spread) / 2);
        return new Trend(middle(slopes), slopes[Math.clamp(low, 0, slopes.length - 1)],
                slopes[Math.clamp(high, 0, slopes.length - 1)], Median.of(Arrays.stream(values)));
    }

    private static double[] slopes(double[] hours, double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int next = 0;
        for (int from = 0; from < values.length; from++) {
            for (int to = from + 1; to < values.length; to++) {
                double between = hours[to] - hours[from];
                if (!(between > 0)) {
                    throw new IllegalArgumentException("Times must ascend: " + hours[from] + ", " + hours[to]);
                }
                slopes[next++] = (values[to] - values[from]) / between;
            }
        }
        Arrays.sort(slopes);
        return slopes;
    }

    private static double middle(double[] sorted) {
        int upper = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
    }

    /** @param allowedPerHour what still counts as flat, in units of the series */
    Verdict verdict(double allowedPerHour) {
        if (high <= allowedPerHour) {
            return Verdict.FLAT;
        }
        return low > allowedPerHour ? Verdict.GROWING : Verdict.UNCLEAR;
    }
}
