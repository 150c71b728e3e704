package dev.laurel.query.analytics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** Confidence intervals of 95 %. */
final class Intervals {

    /** The 97.5th percentile of the standard normal distribution. */
    private static final double Z = 1.959963984540054;

    /** The share of t's distribution above the interval. */
    private static final double UPPER_TAIL = 0.025;

    /** @param low not above {@code high} */
    record Interval(double low, double high) {

        boolean containsZero() {
            return low <= 0 && high >= 0;
        }
    }

    private Intervals() {}

    /**
     * The interval of a share, by Wilson's score method: E. B. Wilson, "Probable inference, the law of succession, and statistical
     * inference", Journal of the American Statistical Association 22 (1927).
     *
     * @param all at least 1
     */
    static Interval ofShare(long some, long all) {
        double share = (double) some / all;
        double square = Z * Z;
        double middle = (share + square / (2 * all)) / (1 + square / all);
        double half = Z / (1 + square / all) * Math.sqrt(share * (1 - share) / all + square / (4.0 * all * all));
        return new Interval(Math.max(0, middle - half), Math.min(1, middle + half));
    }

    /**
     * The interval of the difference of two shares, the first minus the second: method 10 of R. G. Newcombe, "Interval estimation for the
     * difference between independent proportions", Statistics in Medicine 17 (1998), without continuity correction.
     */
    static Interval ofDifference(long some1, long all1, long some2, long all2) {
        double share1 = (double) some1 / all1;
        double share2 = (double) some2 / all2;
        Interval wilson1 = ofShare(some1, all1);
        Interval wilson2 = ofShare(some2, all2);
        double difference = share1 - share2;
        return new Interval(
                difference - Math.hypot(share1 - wilson1.low, wilson2.high - share2),
                difference + Math.hypot(wilson1.high - share1, share2 - wilson2.low));
    }

    /**
     * The interval of the difference of two means, the first minus the second: B. L. Welch, "The generalization of 'Student's' problem when
     * several different population variances are involved", Biometrika 34 (1947), with Satterthwaite's degrees of freedom.
     *
     * @return null if one of the samples has less than two values
     */
    static @Nullable Interval ofDifference(double[] first, double[] second) {
        if (first.length < 2 || second.length < 2) {
            return null;
        }
        double difference = mean(first) - mean(second);
        double error1 = variance(first) / first.length;
        double error2 = variance(second) / second.length;
        double error = error1 + error2;
        if (error == 0) {
            return new Interval(difference, difference);
        }
        double degrees = error * error / (error1 * error1 / (first.length - 1) + error2 * error2 / (second.length - 1));
        double half = TDistribution.of(degrees).inverseSurvivalProbability(UPPER_TAIL) * Math.sqrt(error);
        return new Interval(difference - half, difference + half);
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length - 1);
    }
}
