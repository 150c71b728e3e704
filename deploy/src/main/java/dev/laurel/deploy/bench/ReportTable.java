package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.ConnectionsReport;
import dev.laurel.deploy.bench.BenchReport.RateReport;
import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Lays a report out for a terminal: one row per figure, one column per subject, the ratio beside. */
final class ReportTable {
    private static final double MEGABYTE = 1024.0 * 1024.0;
    private static final double KILOBYTE = 1024.0;

    private final BenchReport report;
    private final List<List<String>> rows = new ArrayList<>();

    ReportTable(BenchReport report) {
        this.report = report;
    }

    String text() {
        rows.clear();
        head();
        figures();
        var text = new StringBuilder(machine()).append('\n').append('\n');
        int[] widths = widths();
        for (List<String> row : rows) {
            text.append(line(row, widths)).append('\n');
        }
        return text.toString();
    }

    private String machine() {
        var machine = report.machine();
        String text = String.format(Locale.ROOT, "%d cores, %.1f GB, Java %s, Kafka %s, %s", machine.cores(),
                machine.memoryBytes() / MEGABYTE / 1024, machine.java(), machine.kafka(), machine.os());
        Double busy = machine.busyElsewhere();
        if (busy == null || busy <= BenchReport.BUSY_ELSEWHERE_MAX) {
            return text;
        }
        return text
                + String.format(Locale.ROOT, "%nOther processes took %.0f %% of the machine: trust the ratios only.",
                        busy * 100);
    }

    private void head() {
        var row = new ArrayList<>(List.of(""));
        report.subjects().forEach(subject -> row.add(subject.name()));
        if (compared()) {
            row.add("ratio");
            row.add("target");
        }
        rows.add(row);
    }

    private void figures() {
        SubjectReport first = report.subjects().getFirst();
        row("events/s through Kafka", "%,.0f", SubjectReport::eventsPerSecond, "≥ " + BenchReport.THROUGHPUT_TARGET);
        for (int i = 0; i < first.atRate().size(); i++) {
            int index = i;
            RateReport rate = first.atRate().get(i);
            String target = i == 0 ? "≤ " + BenchReport.LATENCY_TARGET : "";
            String label = String.format(Locale.ROOT, "ms at %,d/s over HTTP ", rate.ratePerSecond());
            row(label + "p50", "%.2f", subject -> subject.atRate().get(index).latencyMs().p50(), target);
            row(label + "p95", "%.2f", subject -> subject.atRate().get(index).latencyMs().p95(), "");
            row(label + "p99", "%.2f", subject -> subject.atRate().get(index).latencyMs().p99(), target);
        }
        closedLoops("events/s over HTTP, ", SubjectReport::flatOut);
        closedLoops("reads/s over HTTP, ", SubjectReport::reads);
        row("CPU ms per event", "%.3f", subject -> subject.resources().cpuSecondsPerThousand(), "");
        row("KB written per event", "%.2f", subject -> subject.resources().writtenBytesPerThousand() / 1_000 / KILOBYTE,
                "");
        if (first.resources().residentBytes() != null) {
            plain("resident MB (one process)", String.format(Locale.ROOT, "%,.0f",
                    report.subjects().getLast().resources().residentBytes() / MEGABYTE));
        }
        errors();
    }

    private void closedLoops(String label, Function<SubjectReport, List<ConnectionsReport>> loops) {
        List<ConnectionsReport> first = loops.apply(report.subjects().getFirst());
        for (int i = 0; i < first.size(); i++) {
            int index = i;
            int connections = first.get(i).connections();
            String some = connections + (connections == 1 ? " connection" : " connections");
            row(label + some, "%,.0f", subject -> loops.apply(subject).get(index).perSecond(), "");
            row("  p50 ms", "%.2f", subject -> loops.apply(subject).get(index).latencyMs().p50(), "");
            row("  p99 ms", "%.2f", subject -> loops.apply(subject).get(index).latencyMs().p99(), "");
        }
    }

    private void errors() {
        for (SubjectReport subject : report.subjects()) {
            long errors = subject.atRate().stream().mapToLong(rate -> sum(rate.errors())).sum()
                    + subject.flatOut().stream().mapToLong(loop -> sum(loop.errors())).sum()
                    + subject.reads().stream().mapToLong(loop -> sum(loop.errors())).sum();
            if (errors > 0) {
                plain("ERRORS of " + subject.name(), Long.toString(errors));
            }
        }
    }

    private static long sum(Map<Integer, Long> errors) {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    private void row(String label, String format, Function<SubjectReport, Double> figure, String target) {
        var row = new ArrayList<>(List.of(label));
        report.subjects().forEach(subject -> row.add(String.format(Locale.ROOT, format, figure.apply(subject))));
        if (compared()) {
            double bare = figure.apply(report.subjects().getFirst());
            double other = figure.apply(report.subjects().getLast());
            row.add(bare == 0 ? "" : String.format(Locale.ROOT, "%.2f", other / bare));
            row.add(target);
        }
        rows.add(row);
    }

    private void plain(String label, String value) {
        rows.add(List.of(label, value));
    }

    private boolean compared() {
        return report.subjects().size() > 1;
    }

    private int[] widths() {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder(pad(row.getFirst(), widths[0], false));
        for (int i = 1; i < row.size(); i++) {
            line.append("  ").append(pad(row.get(i), widths[i], true));
        }
        return line.toString().stripTrailing();
    }

    private static String pad(String text, int width, boolean right) {
        String spaces = " ".repeat(width - text.length());
        return right ? spaces + text : text + spaces;
    }
}
