package dev.laurel.query.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.query.analytics.Intervals.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalsTest {

    private static final double DIGITS = 0.00005;

    private static void expect(double low, double high, Interval interval) {
        assertEquals(low, interval.low(), DIGITS);
        assertEquals(high, interval.high(), DIGITS);
    }

    /** From table I of R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998). */
    @ParameterizedTest
    @CsvSource({"81, 263, 0.2553, 0.3662", "15, 148, 0.0624, 0.1605", "0, 20, 0, 0.1611", "1, 29, 0.0061, 0.1718"})
    void shouldGiveTheIntervalOfAShare(long some, long all, double low, double high) {
        expect(low, high, Intervals.ofShare(some, all));
    }

    /** From table II of the article that the method cites, method 10. */
    @ParameterizedTest
    @CsvSource({"56, 70, 48, 80, 0.0524, 0.3339", "9, 10, 3, 10, 0.1705, 0.8090", "5, 56, 0, 29, -0.0381, 0.1926"})
    void shouldGiveTheIntervalOfADifferenceOfShares(
            long some1, long all1, long some2, long all2, double low, double high) {
        Interval interval = Intervals.ofDifference(some1, all1, some2, all2);

        expect(low, high, interval);
        assertEquals(low < 0, interval.containsZero());
    }

    /** Variances 1 and 20/3, so the standard error is the root of 2, with 4.0755 degrees of freedom and t = 2.7563. */
    @Test
    void shouldGiveTheIntervalOfADifferenceOfMeans() {
        expect(-6.8980, 0.8980, Intervals.ofDifference(new double[] {1, 2, 3}, new double[] {2, 4, 6, 8}));
    }

    @Test
    void shouldGiveNoIntervalOfSingleValuesAndAPointWithoutVariance() {
        assertNull(Intervals.ofDifference(new double[] {1}, new double[] {2, 4}));
        assertNull(Intervals.ofDifference(new double[] {1, 2}, new double[] {}));
        Interval point = Intervals.ofDifference(new double[] {3, 3}, new double[] {1, 1});
        expect(2, 2, point);
        assertFalse(point.containsZero());
        assertTrue(
                Intervals.ofDifference(new double[] {3, 3}, new double[] {3, 3}).containsZero());
    }
}
