package dev.laurel.deploy.bench;

import dev.laurel.deploy.TextTable;
import dev.laurel.deploy.bench.SoakReport.Series;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** A soak for a terminal: a line per minute while it runs, and the slopes at its end. */
final class SoakTable {
    private static final double MEGABYTE = 1024.0 * 1024;
    private static final double MINUTE_S = 60;

    static final String HEAD = "minute  resident  heap  RocksDB  direct  threads  files  event p50    p99  read p50    p99  errors  (MB, ms)";

    private SoakTable() {}

    /** What was last measured of memory, and medians of the latencies. @param fromSeconds samples before are left out */
    static String line(List<SoakSample> samples, double fromSeconds) {
        SoakSample last = samples.getLast();
        List<SoakSample> recent = samples.stream().filter(sample -> sample.seconds() > fromSeconds).toList();
        return String.format(Locale.ROOT, "%6.0f  %8s  %4.0f  %7.0f  %6.1f  %7d  %5d  %9.2f  %5.1f  %8.2f  %5.1f  %6d",
                last.seconds() / MINUTE_S, megabytes(last.memory().resident()), last.memory().heapAfterGc() / MEGABYTE,
                last.memory().rocksDb() / MEGABYTE, last.memory().direct() / MEGABYTE, last.threads(),
                last.openFiles(), median(recent, sample -> sample.eventMs().p50()),
                median(recent, sample -> sample.eventMs().p99()), median(recent, sample -> sample.readMs().p50()),
                median(recent, sample -> sample.readMs().p99()), samples.stream().mapToLong(SoakSample::errors).sum());
    }

    private static String megabytes(Long bytes) {
        return bytes == null ? "?" : String.format(Locale.ROOT, "%.0f", bytes / MEGABYTE);
    }

    private static double median(List<SoakSample> samples, ToDoubleFunction<SoakSample> value) {
        return Median.of(samples.stream().mapToDouble(value));
    }

    static String text(SoakReport report) {
        var table = TextTable.ofNumbers();
        table.row("", "at first", "at last", "per hour", "95 % between", "and", "allowed", "");
        report.series().forEach(series -> table.row(row(series)));
        return String.format(Locale.ROOT, """
                %s
                %,d events/s and as many reads for %s; slopes without the first %s

                %s
                errors: %,d
                verdict: %s (%s)
                """, ThisMachine.line(report.machine()), report.ratePerSecond(), minutes(report.seconds()),
                minutes(report.settlingSeconds()), table.text(), report.errors(),
                report.verdict().name().toLowerCase(Locale.ROOT), report.rule());
    }

    private static String minutes(double seconds) {
        return String.format(Locale.ROOT, "%.1f min", seconds / MINUTE_S);
    }

    private static List<String> row(Series series) {
        String unit = series.unit().isEmpty() ? "" : ", " + series.unit();
        return List.of(series.name() + unit, number(series.first()), number(series.last()),
                String.format(Locale.ROOT, "%+.2f", series.trend().perHour()),
                String.format(Locale.ROOT, "%+.2f", series.trend().low()),
                String.format(Locale.ROOT, "%+.2f", series.trend().high()),
                series.allowedPerHour() == null ? "" : number(series.allowedPerHour()),
                Objects.toString(series.verdict(), "").toLowerCase(Locale.ROOT));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
