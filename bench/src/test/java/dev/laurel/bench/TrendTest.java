package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.bench.Trend.Verdict;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TrendTest {
    private static final int POINTS = 120;

    @Test
    void shouldFindTheSlopeOfALine() {
        Trend trend = trend(i -> 500 + 60 * hour(i));

        assertEquals(60, trend.perHour(), 1e-9);
        assertEquals(60, trend.low(), 1e-9);
        assertEquals(60, trend.high(), 1e-9);
        assertEquals(500 + 60 * (hour(59) + hour(60)) / 2, trend.median(), 1e-9);
    }

    @Test
    void shouldIgnoreABurst() {
        Trend trend = trend(i -> 5 + noise(i) + (i > 100 && i < 115 ? 400 : 0));

        // Least squares would give 224.
        assertEquals(0, trend.perHour(), 2);
    }

    @Test
    void shouldContainTheTrueSlopeInItsInterval() {
        Trend trend = trend(i -> 100 + 7 * hour(i) + noise(i));

        assertTrue(trend.low() < 7 && trend.high() > 7, trend.toString());
        assertTrue(trend.high() - trend.low() < 2, trend.toString());
    }

    @Test
    void shouldNarrowTheIntervalWithMoreMeasurements() {
        Trend few = trend(12, i -> noise(i));
        Trend many = trend(120, i -> noise(i));

        assertTrue(few.high() - few.low() > 5 * (many.high() - many.low()), few + " " + many);
    }

    @Test
    void shouldDecideByTheWholeInterval() {
        assertEquals(Verdict.FLAT, new Trend(1, 0, 2, 100).verdict(2));
        assertEquals(Verdict.FLAT, new Trend(-30, -40, -20, 100).verdict(2));
        assertEquals(Verdict.UNCLEAR, new Trend(1, 0, 2.1, 100).verdict(2));
        assertEquals(Verdict.UNCLEAR, new Trend(5, 2, 8, 100).verdict(2));
        assertEquals(Verdict.GROWING, new Trend(5, 2.1, 8, 100).verdict(2));
    }

    @Test
    void shouldRefuseInvalidSeries() {
        assertThrows(IllegalArgumentException.class, () -> trend(Trend.POINTS_MIN - 1, i -> i));
        assertThrows(IllegalArgumentException.class, () -> Trend.of(new double[8], new double[9]));
        assertThrows(IllegalArgumentException.class, () -> Trend.of(new double[8], new double[8]));
    }

    private static Trend trend(IntToDoubleFunction value) {
        return trend(POINTS, value);
    }

    private static Trend trend(int points, IntToDoubleFunction value) {
        return Trend.of(
                IntStream.range(0, points).mapToDouble(TrendTest::hour).toArray(),
                IntStream.range(0, points).mapToDouble(value).toArray());
    }

    /** One sample every 30 seconds. */
    private static double hour(int i) {
        return i / 120.0;
    }

    /** Returns repeatable noise between -1 and 1. */
    private static double noise(int i) {
        return (BenchTraffic.below(2_001, i, 7) - 1_000) / 1_000.0;
    }
}
