package dev.laurel.bench;

import java.util.Arrays;

/**
 * The growth of a series of measurements: the median of the slopes between all pairs (Theil 1950), which bursts of other work or garbage
 * collections do not affect.
 *
 * @param perHour growth per hour in units of the series
 * @param low lower end of the 95 % confidence interval of the slope, by Kendall's statistic (Sen 1968); for correlated measurements it is
 * too narrow
 * @param high upper end of the interval
 * @param median median of the series
 */
record Trend(double perHour, double low, double high, double median) {
    static final int POINTS_MIN = 8;
    private static final int POINTS_MAX = 4_000;

    /** Quantile of the normal distribution for a 95 % interval. */
    private static final double QUANTILE = 1.96;

    /** Conclusions about a series. */
    enum Verdict {
        /** The whole interval is within the allowed growth. */
        FLAT,
        /** The whole interval is above the allowed growth. */
        GROWING,
        /** Neither, because of too few measurements or too much noise. */
        UNCLEAR
    }

    /**
     * @param hours ascending times of the measurements
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
        return new Trend(
                Median.ofSorted(slopes),
                slopes[Math.clamp(low, 0, slopes.length - 1)],
                slopes[Math.clamp(high, 0, slopes.length - 1)],
                Median.ofSorted(Arrays.stream(values).sorted().toArray()));
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

    /** @param allowedPerHour growth that counts as flat, in units of the series */
    Verdict verdict(double allowedPerHour) {
        if (high <= allowedPerHour) {
            return Verdict.FLAT;
        }
        return low > allowedPerHour ? Verdict.GROWING : Verdict.UNCLEAR;
    }
}
