package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.bench.LoadGenerator.Latency;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyTest {
    private static final double ONE_PER_MILLE = 0.001;

    @Test
    void shouldGivePercentilesInMillisecondsOfMicroseconds() {
        var micros = new Histogram(60_000_000, 3);
        for (int i = 1; i <= 100; i++) {
            micros.recordValue(i * 1_000);
        }

        Latency latency = Latency.of(micros);

        assertEquals(50, latency.p50(), 50 * ONE_PER_MILLE);
        assertEquals(95, latency.p95(), 95 * ONE_PER_MILLE);
        assertEquals(99, latency.p99(), 99 * ONE_PER_MILLE);
        assertEquals(100, latency.max(), 100 * ONE_PER_MILLE);
    }

    @Test
    void shouldGiveZerosForNoMeasurement() {
        assertEquals(new Latency(0, 0, 0, 0), Latency.of(new Histogram(60_000_000, 3)));
    }

    @Test
    void shouldTakeMediansOfSlicesButKeepTheGreatestMaximum() {
        var quiet = new Latency(2, 4, 6, 10);
        var disturbed = new Latency(50, 90, 99, 400);
        var usual = new Latency(3, 5, 7, 12);

        assertEquals(new Latency(3, 5, 7, 400), Latency.median(List.of(quiet, disturbed, usual)));
    }

    @Test
    void shouldAverageTheTwoMiddleValuesOfAnEvenNumber() {
        assertEquals(2.5, Median.of(List.of(9.0, 2.0, 3.0, 1.0)));
    }

    @Test
    void shouldGiveZeroAsTheMedianOfNothing() {
        assertEquals(0, Median.of(List.of()));
    }
}
