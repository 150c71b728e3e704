package dev.laurel.bench;

import dev.laurel.bench.BenchReport.ConnectionsReport;
import dev.laurel.bench.BenchReport.RateReport;
import dev.laurel.bench.BenchReport.SubjectReport;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import static dev.laurel.bench.BenchResult.format;

/** Formats a report for a terminal: one row per figure, one column per subject, and the ratio. */
final class BenchReportTable {
    private static final double MEGABYTE = 1024.0 * 1024.0;
    private static final double KILOBYTE = 1024.0;

    private final BenchReport report;
    private final TextTable table = TextTable.ofNumbers();

    BenchReportTable(BenchReport report) {
        this.report = report;
    }

    String text() {
        head();
        figures();
        var text = new StringBuilder(report.machine().description()).append('\n').append('\n').append(table.text());
        for (SubjectReport subject : report.subjects()) {
            if (subject.byUsers() != null) {
                text.append(growth("Does an event cost more when there are more users?", "users", subject.byUsers(),
                        UsersGrowth.VISITS, UsersGrowth.ANY_USER, "any user's events/s"));
            }
            if (subject.byPastEvents() != null) {
                text.append(growth("Does an event cost more when its user has a longer past?", "past events",
                        subject.byPastEvents(), PastGrowth.NOW, PastGrowth.LATE, "late events/s"));
            }
            if (subject.leaderboards() != null) {
                text.append(leaderboards(subject.leaderboards()));
            }
        }
        return text.toString();
    }

    private void head() {
        var row = new ArrayList<>(List.of(""));
        report.subjects().forEach(subject -> row.add(subject.name()));
        if (compared()) {
            row.add("ratio");
            row.add("target");
        }
        table.row(row);
    }

    private void figures() {
        SubjectReport first = report.subjects().getFirst();
        row("events/s through Kafka", "%,.0f", SubjectReport::eventsPerSecond, "≥ " + BenchReport.THROUGHPUT_TARGET);
        row("effects per event", "%.2f", SubjectReport::effectsPerEvent, "");
        for (int i = 0; i < first.atRate().size(); i++) {
            int index = i;
            RateReport rate = first.atRate().get(i);
            String target = i == 0 ? "≤ " + BenchReport.LATENCY_TARGET : "";
            String label = format("ms at %,d/s over HTTP ", rate.ratePerSecond());
            row(label + "p50", "%.2f", subject -> subject.atRate().get(index).latencyMs().p50(), target);
            row(label + "p95", "%.2f", subject -> subject.atRate().get(index).latencyMs().p95(), "");
            row(label + "p99", "%.2f", subject -> subject.atRate().get(index).latencyMs().p99(), target);
        }
        closedLoops("events/s over HTTP, ", SubjectReport::flatOut);
        closedLoops("reads/s over HTTP, ", SubjectReport::reads);
        row("CPU ms per event", "%.3f", subject -> subject.resources().cpuSecondsPerThousand(), "");
        row("KB written per event", "%.2f", subject -> subject.resources().writtenBytesPerThousand() / 1_000 / KILOBYTE,
                "");
        Long resident = report.subjects().getLast().resources().residentBytes();
        if (resident != null) {
            table.row("resident MB (one process)", format("%,.0f", resident / MEGABYTE));
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
                table.row("ERRORS of " + subject.name(), Long.toString(errors));
            }
        }
    }

    private static long sum(Map<Integer, Long> errors) {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    private void row(String label, String format, Function<SubjectReport, Double> figure, String target) {
        var row = new ArrayList<>(List.of(label));
        report.subjects().forEach(subject -> row.add(format(format, figure.apply(subject))));
        if (compared()) {
            double bare = figure.apply(report.subjects().getFirst());
            double other = figure.apply(report.subjects().getLast());
            row.add(bare == 0 ? "" : format("%.2f", other / bare));
            row.add(target);
        }
        table.row(row);
    }

    private boolean compared() {
        return report.subjects().size() > 1;
    }

    private static String leaderboards(LeaderboardBench.Report boards) {
        var table = TextTable.ofNumbers();
        table.row("", "without", "with", "ratio", "target");
        String latency = format("ms at %,d/s over HTTP, two ranks in each answer ", boards.ratePerSecond());
        table.row(cost(latency + "p50", "%.2f", boards.without().p50(), boards.with().p50(),
                "≤ " + LeaderboardBench.Report.LATENCY_TARGET));
        table.row(cost(latency + "p99", "%.2f", boards.without().p99(), boards.with().p99(),
                "≤ " + LeaderboardBench.Report.LATENCY_TARGET));
        LeaderboardBench.ForAll forAll = boards.forAll();
        table.row(cost(format("events/s, one for all %,d users", forAll.users()), "%,.0f",
                forAll.withoutPerSecond(), forAll.withPerSecond(), "≥ " + LeaderboardBench.Report.THROUGHPUT_TARGET));
        table.row("reads of a rank meanwhile p50 ms", "", format("%.2f", forAll.rankRead().p50()), "",
                "< " + LeaderboardBench.Report.READ_TARGET_MS);
        return format("%nWhat do leaderboards cost?%n%n") + table.text();
    }

    private static List<String> cost(String label, String format, double without, double with, String target) {
        return List.of(label, format(format, without), format(format, with), format("%.2f", with / without), target);
    }

    /**
     * Formats one row per size, with three columns per load.
     *
     * @param otherRate name of the rate of the second load
     */
    private static String growth(String title, String label, GrowthBench.Report growth, String load,
            String otherLoad, String otherRate) {
        var text = new StringBuilder(format(
                "%n%s%n%,d users at once, %,d events each before others become active; medians of %d rounds of %,d events%n%n",
                title, growth.usersAtOnce(), growth.eventsPerVisit(), growth.rounds(), growth.eventsPerRound()));
        var table = TextTable.ofNumbers();
        var head = new ArrayList<>(List.of(label));
        List.of("events/s", otherRate).forEach(name -> head.addAll(List.of(name, "ratio", "effects/event")));
        head.add("target");
        table.row(head);
        for (GrowthBench.Size size : growth.sizes()) {
            var row = new ArrayList<>(List.of(format("%,d", size.size())));
            Stream.of(load, otherLoad).map(size.loads()::get).forEach(figures -> {
                row.add(format("%,.0f", figures.eventsPerSecond()));
                row.add(format("%.2f", figures.ratio()));
                row.add(format("%.2f", figures.effectsPerEvent()));
            });
            row.add("≥ " + GrowthBench.Report.TARGET);
            table.row(row);
        }
        text.append(table.text());
        for (int size : growth.leftOut()) {
            text.append(format("%,d: left out for lack of time%n", size));
        }
        return text.toString();
    }
}
