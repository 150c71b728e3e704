package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.ConnectionsReport;
import dev.laurel.deploy.bench.BenchReport.RateReport;
import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Formats a report for a terminal: one row per figure, one column per subject, and the ratio. */
final class BenchReportTable {
    private static final double MEGABYTE = 1024.0 * 1024.0;
    private static final double KILOBYTE = 1024.0;
    private static final Map<String, String> USER_LOADS = loads(UsersGrowth.VISITS, "events/s", UsersGrowth.ANY_USER,
            "anybody's events/s");
    private static final Map<String, String> PAST_LOADS = loads(PastGrowth.NOW, "events/s", PastGrowth.LATE,
            "late events/s");

    private final BenchReport report;
    private final TextTable table = TextTable.ofNumbers();

    BenchReportTable(BenchReport report) {
        this.report = report;
    }

    /** Keeps the order of the loads. */
    private static Map<String, String> loads(String load, String name, String otherLoad, String otherName) {
        var loads = new LinkedHashMap<String, String>();
        loads.put(load, name);
        loads.put(otherLoad, otherName);
        return loads;
    }

    String text() {
        head();
        figures();
        var text = new StringBuilder(MachineInfo.line(report.machine())).append('\n').append('\n').append(table.text());
        for (SubjectReport subject : report.subjects()) {
            if (subject.byUsers() != null) {
                text.append(growth("Does an event cost more when there are more users?", "users", subject.byUsers(),
                        USER_LOADS));
            }
            if (subject.byPastEvents() != null) {
                text.append(growth("Does an event cost more when its user has a longer past?", "past events",
                        subject.byPastEvents(), PAST_LOADS));
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
        table.row(row);
    }

    private void plain(String label, String value) {
        table.row(List.of(label, value));
    }

    private boolean compared() {
        return report.subjects().size() > 1;
    }

    private static String leaderboards(LeaderboardReport boards) {
        var table = TextTable.ofNumbers();
        table.row(List.of("", "without", "with", "ratio", "target"));
        String latency = String.format(Locale.ROOT, "ms at %,d/s over HTTP, two ranks in each answer ",
                boards.ratePerSecond());
        table.row(cost(latency + "p50", "%.2f", boards.without().p50(), boards.with().p50(),
                "≤ " + LeaderboardReport.LATENCY_TARGET));
        table.row(cost(latency + "p99", "%.2f", boards.without().p99(), boards.with().p99(),
                "≤ " + LeaderboardReport.LATENCY_TARGET));
        LeaderboardReport.ForAll forAll = boards.forAll();
        table.row(cost(String.format(Locale.ROOT, "events/s, one for all %,d users", forAll.users()), "%,.0f",
                forAll.withoutPerSecond(), forAll.withPerSecond(), "≥ " + LeaderboardReport.THROUGHPUT_TARGET));
        table.row(List.of("reads of a rank meanwhile p50 ms", "", String.format(Locale.ROOT, "%.2f",
                forAll.rankRead().p50()), "", "< " + LeaderboardReport.READ_TARGET_MS));
        return String.format(Locale.ROOT, "%nWhat do leaderboards cost?%n%n") + table.text();
    }

    private static List<String> cost(String label, String format, double without, double with, String target) {
        return List.of(label, String.format(Locale.ROOT, format, without), String.format(Locale.ROOT, format, with),
                String.format(Locale.ROOT, "%.2f", with / without), target);
    }

    /** Formats one row per size, with three columns per load. */
    private static String growth(String title, String label, GrowthReport growth, Map<String, String> namesOfLoads) {
        var text = new StringBuilder(String.format(Locale.ROOT,
                "%n%s%n%,d users at once, %,d events each before others come; medians of %d rounds of %,d events%n%n",
                title, growth.usersAtOnce(), growth.eventsPerVisit(), growth.rounds(), growth.eventsPerRound()));
        var table = TextTable.ofNumbers();
        var head = new ArrayList<>(List.of(label));
        namesOfLoads.values().forEach(name -> head.addAll(List.of(name, "ratio", "effects/event")));
        head.add("target");
        table.row(head);
        for (GrowthReport.Size size : growth.sizes()) {
            var row = new ArrayList<>(List.of(String.format(Locale.ROOT, "%,d", size.size())));
            namesOfLoads.keySet().forEach(load -> {
                GrowthReport.Figures figures = size.loads().get(load);
                row.add(String.format(Locale.ROOT, "%,.0f", figures.eventsPerSecond()));
                row.add(String.format(Locale.ROOT, "%.2f", figures.ratio()));
                row.add(String.format(Locale.ROOT, "%.2f", figures.effectsPerEvent()));
            });
            row.add("≥ " + GrowthReport.TARGET);
            table.row(row);
        }
        text.append(table.text());
        for (int size : growth.leftOut()) {
            text.append(String.format(Locale.ROOT, "%,d: left out, there was no time%n", size));
        }
        return text.toString();
    }
}
