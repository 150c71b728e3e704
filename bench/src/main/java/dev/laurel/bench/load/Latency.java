package dev.laurel.bench.load;

import java.util.Collection;
import org.HdrHistogram.Histogram;

/** Percentiles in milliseconds. */
public record Latency(double p50, double p95, double p99, double max) {
    private static final double MICROS_PER_MS = 1_000;

    /** @param histogram values in microseconds; an empty one gives zeros */
    static Latency of(Histogram histogram) {
        return new Latency(histogram.getValueAtPercentile(50) / MICROS_PER_MS,
                histogram.getValueAtPercentile(95) / MICROS_PER_MS, histogram.getValueAtPercentile(99) / MICROS_PER_MS,
                histogram.getMaxValue() / MICROS_PER_MS);
    }

    /** Returns the median of each percentile, and the greatest maximum. */
    public static Latency median(Collection<Latency> slices) {
        return new Latency(Median.of(slices, Latency::p50), Median.of(slices, Latency::p95),
                Median.of(slices, Latency::p99),
                slices.stream().mapToDouble(Latency::max).max().orElse(0));
    }
}
