package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.Trend.Verdict;
import dev.laurel.bench.load.Latency;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

import static dev.laurel.bench.BenchResult.format;

/**
 * Result of a steady load; {@link Trend} describes the slopes. After the settling time, memory is flat if it grows by
 * at most 3 % of the resident memory per hour, and a latency if it grows by at most 10 % of itself. A series is flat
 * or growing only if the whole confidence interval says so; the result is flat if all evaluated series are.
 *
 * @param seconds duration of the load
 * @param settlingSeconds time at the beginning that is not evaluated
 */
record SoakReport(@JsonIgnore Machine machine, int ratePerSecond, double seconds, double settlingSeconds,
        Verdict verdict, String rule, List<Series> series, long errors, List<Sample> samples) implements BenchResult {
    static final double MEMORY_SHARE = 0.03;
    static final double LATENCY_SHARE = 0.1;
    static final String RULE = "flat: with 95 % confidence, memory grows by at most 3 % of the resident memory per hour,"
            + " a latency by at most 10 % of itself; growing: by more; unclear: neither can be said";
    private static final double MEGABYTE = 1024.0 * 1024;
    private static final double HOUR_S = 3_600;

    /**
     * A figure over time.
     *
     * @param unit unit of {@code first} and {@code last}, and per hour of the trend
     * @param first median of the first tenth of the samples after settling
     * @param last median of the last tenth
     * @param allowedPerHour growth that counts as flat; null: not evaluated
     * @param verdict null: not evaluated
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Series(String name, String unit, double first, double last, Trend trend,
            @Nullable Double allowedPerHour, @Nullable Verdict verdict) {}

    /** @param samples at least 8 after settling */
    static SoakReport of(Machine machine, SoakBench.Plan plan, List<Sample> samples) {
        double settlingS = plan.settling().toNanos() / 1e9;
        List<Sample> settled = samples.stream().filter(sample -> sample.seconds() > settlingS).toList();
        var series = new ArrayList<Series>();
        // If the kernel does not report resident memory, the heap replaces it.
        boolean isResidentKnown = settled.stream().allMatch(sample -> sample.memory().resident() != null);
        double allowed = MEMORY_SHARE * Median.of(settled, isResidentKnown ? SoakReport::resident : SoakReport::heap);
        if (isResidentKnown) {
            series.add(series("resident", "MB", settled, SoakReport::resident, allowed));
            series.add(series("resident without RocksDB", "MB", settled,
                    sample -> resident(sample) - megabytes(sample.memory().rocksDb()), null));
            series.add(series("resident without files", "MB", settled,
                    sample -> megabytes(sample.memory().anonymous()), null));
        }
        series.add(series("heap after GC", "MB", settled, SoakReport::heap, allowed));
        series.add(series("classes and code", "MB", settled, sample -> megabytes(sample.memory().nonHeap()), allowed));
        series.add(series("direct buffers", "MB", settled, sample -> megabytes(sample.memory().direct()), allowed));
        series.add(series("RocksDB", "MB", settled, sample -> megabytes(sample.memory().rocksDb()), null));
        series.add(series("mapped files", "MB", settled, sample -> megabytes(sample.memory().mapped()), null));
        series.add(series("threads", "", settled, Sample::threads, null));
        series.add(series("open files", "", settled, Sample::openFiles, null));
        series.add(latency("event p50", settled, sample -> sample.eventMs().p50()));
        series.add(latency("event p99", settled, sample -> sample.eventMs().p99()));
        series.add(latency("read p50", settled, sample -> sample.readMs().p50()));
        series.add(latency("read p99", settled, sample -> sample.readMs().p99()));
        return new SoakReport(machine, plan.ratePerSecond(), samples.getLast().seconds(), settlingS, overall(series),
                RULE, series, samples.stream().mapToLong(Sample::errors).sum(), samples);
    }

    private static double resident(Sample sample) {
        return megabytes(sample.memory().resident());
    }

    private static double heap(Sample sample) {
        return megabytes(sample.memory().heapAfterGc());
    }

    /** Returns NaN for an unknown number. */
    private static double megabytes(@Nullable Long bytes) {
        return bytes == null ? Double.NaN : bytes / MEGABYTE;
    }

    private static Series latency(String name, List<Sample> samples, ToDoubleFunction<Sample> value) {
        return series(name, "ms", samples, value, LATENCY_SHARE * Median.of(samples, value));
    }

    private static Series series(String name, String unit, List<Sample> samples,
            ToDoubleFunction<Sample> value, @Nullable Double allowedPerHour) {
        double[] values = samples.stream().mapToDouble(value).toArray();
        Trend trend = Trend.of(samples.stream().mapToDouble(sample -> sample.seconds() / HOUR_S).toArray(), values);
        int tenth = Math.max(1, values.length / 10);
        double first = Median.of(samples.subList(0, tenth), value);
        double last = Median.of(samples.subList(values.length - tenth, values.length), value);
        return new Series(name, unit, first, last, trend, allowedPerHour,
                allowedPerHour == null ? null : trend.verdict(allowedPerHour));
    }

    private static Verdict overall(List<Series> series) {
        List<@Nullable Verdict> verdicts = series.stream().<@Nullable Verdict>map(Series::verdict).toList();
        if (verdicts.contains(Verdict.GROWING)) {
            return Verdict.GROWING;
        }
        return verdicts.contains(Verdict.UNCLEAR) ? Verdict.UNCLEAR : Verdict.FLAT;
    }

    @Override
    public String toTable() {
        return Table.text(this);
    }

    @Override
    public Map<String, ?> figures() {
        return Map.of("soak", this);
    }

    /**
     * A sample: latencies of one interval, and the state of the process at its end.
     *
     * @param seconds time since the start of the load
     * @param memory memory of the process
     * @param errors number of unexpected responses
     */
    record Sample(double seconds, Memory memory, int threads, long openFiles, Latency eventMs, Latency readMs,
            long errors) {

        /**
         * Memory in bytes; the parts overlap with the resident memory and do not add up to it.
         *
         * @param resident resident memory; null: unknown
         * @param anonymous resident memory without files; null: unknown
         * @param heapAfterGc lowest heap after a garbage collection in the interval, or the previous one
         * @param nonHeap classes and compiled code
         * @param direct buffers outside the heap
         * @param mapped mapped files: indexes of the broker's log
         * @param rocksDb caches and write buffers of all stores, which grow to a limit
         */
        record Memory(@Nullable Long resident, @Nullable Long anonymous, long heapAfterGc, long nonHeap, long direct,
                long mapped,
                long rocksDb) {}
    }

    /** Formats a soak for a terminal: a line per minute while it runs, and the slopes at the end. */
    static final class Table {
        private static final double MINUTE_S = 60;

        static final String HEAD = "minute  resident  heap  RocksDB  direct  threads  files  event p50    p99  read p50    p99  errors  (MB, ms)";

        private Table() {}

        /**
         * Returns the last memory figures and medians of the latencies.
         *
         * @param fromSeconds earlier samples are ignored
         */
        static String line(List<Sample> samples, double fromSeconds) {
            Sample last = samples.getLast();
            List<Sample> recent = samples.stream().filter(sample -> sample.seconds() > fromSeconds).toList();
            return format(
                    "%6.0f  %8s  %4.0f  %7.0f  %6.1f  %7d  %5d  %9.2f  %5.1f  %8.2f  %5.1f  %6d",
                    last.seconds() / MINUTE_S, megabytes(last.memory().resident()),
                    last.memory().heapAfterGc() / MEGABYTE,
                    last.memory().rocksDb() / MEGABYTE, last.memory().direct() / MEGABYTE, last.threads(),
                    last.openFiles(), Median.of(recent, sample -> sample.eventMs().p50()),
                    Median.of(recent, sample -> sample.eventMs().p99()),
                    Median.of(recent, sample -> sample.readMs().p50()),
                    Median.of(recent, sample -> sample.readMs().p99()),
                    samples.stream().mapToLong(Sample::errors).sum());
        }

        private static String megabytes(@Nullable Long bytes) {
            return bytes == null ? "?" : format("%.0f", bytes / MEGABYTE);
        }

        static String text(SoakReport report) {
            var table = TextTable.ofNumbers();
            table.row("", "first", "last", "per hour", "95 % between", "and", "allowed", "");
            report.series().forEach(series -> table.row(row(series)));
            return format("""
                    %s
                    %,d events/s and as many reads for %s; slopes without the first %s

                    %s
                    errors: %,d
                    verdict: %s (%s)
                    """, report.machine().description(), report.ratePerSecond(), minutes(report.seconds()),
                    minutes(report.settlingSeconds()), table.text(), report.errors(),
                    report.verdict().name().toLowerCase(Locale.ROOT), report.rule());
        }

        private static String minutes(double seconds) {
            return format("%.1f min", seconds / MINUTE_S);
        }

        private static List<String> row(Series series) {
            String unit = series.unit().isEmpty() ? "" : ", " + series.unit();
            return List.of(series.name() + unit, number(series.first()), number(series.last()),
                    format("%+.2f", series.trend().perHour()),
                    format("%+.2f", series.trend().low()),
                    format("%+.2f", series.trend().high()),
                    series.allowedPerHour() == null ? "" : number(series.allowedPerHour()),
                    Objects.toString(series.verdict(), "").toLowerCase(Locale.ROOT));
        }

        private static String number(double value) {
            return format("%,.2f", value);
        }
    }
}
