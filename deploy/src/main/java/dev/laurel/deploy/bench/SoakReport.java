package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.laurel.deploy.bench.BenchReport.Machine;
import dev.laurel.deploy.bench.Trend.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What an instance came to under a steady load, see {@link Trend} for the slopes. The rule, over the samples after the settling:
 * memory is flat if it grows by no more than 3 % of the resident memory per hour, a latency by no more than 10 % of itself. It counts as
 * flat or as growing only where the whole interval of confidence says so; the whole is flat if each judged series is.
 *
 * @param seconds of the load
 * @param settlingSeconds at the beginning, left out of the slopes
 */
public record SoakReport(@JsonIgnore Machine machine, int ratePerSecond, double seconds, double settlingSeconds,
        Verdict verdict, String rule, List<Series> series, long errors, List<SoakSample> samples) implements Findings {
    static final double MEMORY_SHARE = 0.03;
    static final double LATENCY_SHARE = 0.1;
    static final String RULE = "flat: with 95 % confidence, memory grows by at most 3 % of the resident memory per hour,"
            + " a latency by at most 10 % of itself; growing: by more; unclear: neither can be said";
    private static final double MEGABYTE = 1024.0 * 1024;
    private static final double HOUR_S = 3_600;

    /**
     * One figure over time.
     *
     * @param unit of {@code first}, {@code last} and, per hour, the trend
     * @param first median of the first tenth of the samples after the settling
     * @param last median of the last tenth
     * @param allowedPerHour what counts as flat, {@code null} if it is not judged
     * @param verdict {@code null} likewise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Series(String name, String unit, double first, double last, Trend trend, Double allowedPerHour,
            Verdict verdict) {}

    /** @param samples at least 8 after the settling */
    static SoakReport of(Machine machine, SoakPlan plan, List<SoakSample> samples) {
        double settlingS = plan.settling().toNanos() / 1e9;
        List<SoakSample> settled = samples.stream().filter(sample -> sample.seconds() > settlingS).toList();
        var series = new ArrayList<Series>();
        boolean isResidentKnown = settled.stream().allMatch(sample -> sample.memory().resident() != null);
        // Where the kernel does not tell, the heap is all the memory that is known.
        double allowed = MEMORY_SHARE * Median.of(settled.stream().mapToDouble(
                sample -> isResidentKnown ? megabytes(sample.memory().resident()) : heap(sample)));
        if (isResidentKnown) {
            series.add(series("resident", "MB", settled, sample -> megabytes(sample.memory().resident()), allowed));
            series.add(series("resident without RocksDB", "MB", settled,
                    sample -> megabytes(sample.memory().resident() - sample.memory().rocksDb()), null));
            series.add(series("resident without files", "MB", settled, sample -> megabytes(sample.memory().anonymous()),
                    null));
        }
        series.add(series("heap after GC", "MB", settled, SoakReport::heap, allowed));
        series.add(series("classes and code", "MB", settled, sample -> megabytes(sample.memory().nonHeap()), allowed));
        series.add(series("direct buffers", "MB", settled, sample -> megabytes(sample.memory().direct()), allowed));
        series.add(series("RocksDB", "MB", settled, sample -> megabytes(sample.memory().rocksDb()), null));
        series.add(series("mapped files", "MB", settled, sample -> megabytes(sample.memory().mapped()), null));
        series.add(series("threads", "", settled, SoakSample::threads, null));
        series.add(series("open files", "", settled, SoakSample::openFiles, null));
        series.add(latency("event p50", settled, sample -> sample.eventMs().p50()));
        series.add(latency("event p99", settled, sample -> sample.eventMs().p99()));
        series.add(latency("read p50", settled, sample -> sample.readMs().p50()));
        series.add(latency("read p99", settled, sample -> sample.readMs().p99()));
        return new SoakReport(machine, plan.ratePerSecond(), samples.getLast().seconds(), settlingS, overall(series),
                RULE, series, samples.stream().mapToLong(SoakSample::errors).sum(), samples);
    }

    private static double heap(SoakSample sample) {
        return megabytes(sample.memory().heapAfterGc());
    }

    private static double megabytes(long bytes) {
        return bytes / MEGABYTE;
    }

    private static Series latency(String name, List<SoakSample> samples, ToDoubleFunction<SoakSample> value) {
        return series(name, "ms", samples, value, LATENCY_SHARE * Median.of(samples.stream().mapToDouble(value)));
    }

    private static Series series(String name, String unit, List<SoakSample> samples,
            ToDoubleFunction<SoakSample> value, Double allowedPerHour) {
        double[] values = samples.stream().mapToDouble(value).toArray();
        Trend trend = Trend.of(samples.stream().mapToDouble(sample -> sample.seconds() / HOUR_S).toArray(), values);
        int tenth = Math.max(1, values.length / 10);
        double first = Median.of(samples.subList(0, tenth).stream().mapToDouble(value));
        double last = Median.of(samples.subList(values.length - tenth, values.length).stream().mapToDouble(value));
        return new Series(name, unit, first, last, trend, allowedPerHour,
                allowedPerHour == null ? null : trend.verdict(allowedPerHour));
    }

    private static Verdict overall(List<Series> series) {
        List<Verdict> verdicts = series.stream().map(Series::verdict).filter(verdict -> verdict != null).toList();
        if (verdicts.contains(Verdict.GROWING)) {
            return Verdict.GROWING;
        }
        return verdicts.contains(Verdict.UNCLEAR) ? Verdict.UNCLEAR : Verdict.FLAT;
    }

    @Override
    public String toTable() {
        return SoakTable.text(this);
    }

    @Override
    public String toJson() {
        return ThisMachine.json(machine, Map.of("soak", this));
    }
}
