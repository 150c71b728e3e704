package dev.laurel.bench;

import static dev.laurel.bench.BenchResult.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.bench.OneProcess.Subject;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Measures how fast Laurel processes a backlog of events: in turns with a bare pipeline of the same shape, on one broker in this process;
 * then alone, in a new instance that gets more and more users. Blocks the calling thread.
 */
final class KafkaBench {
    private final Plan plan;
    private final Progress progress;
    private long nextEvent;

    private KafkaBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** @throws IllegalStateException if an application fails or makes no progress */
    static Report run(Plan plan, Progress progress) {
        var bench = new KafkaBench(plan, progress);
        var otherWork = new CompetingLoad();
        List<Figures> compared = bench.compare();
        List<Size> sizes = plan.growth().isEmpty() ? List.of() : bench.grow();
        return new Report(Machine.after(otherWork), compared.getFirst(), compared.getLast(), plan.events(), sizes);
    }

    private List<Figures> compare() {
        try (var process = new OneProcess(plan.partitions())) {
            List<Subject> subjects = List.of(
                    process.startBare(), OneProcess.subject(process.startLaurel(Laurel.rulesWithoutLeaderboards())));
            subjects.forEach(subject -> measure(process, subject, plan.users(), "warm-up"));
            var results = new LinkedHashMap<Subject, List<KafkaThroughput.Result>>();
            for (int slice = 1; slice <= plan.slices(); slice++) {
                // Every other slice has the opposite order, so that a drift of the machine favours no one.
                for (Subject subject : slice % 2 == 0 ? subjects : subjects.reversed()) {
                    results.computeIfAbsent(subject, _ -> new ArrayList<>())
                            .add(measure(process, subject, plan.users(), slice + "/" + plan.slices()));
                }
            }
            return subjects.stream().map(results::get).map(Figures::of).toList();
        }
    }

    /** Uses a new instance, so that the number of users is exact and nothing else runs. */
    private List<Size> grow() {
        try (var process = new OneProcess(plan.partitions())) {
            Subject laurel = OneProcess.subject(process.startLaurel(Laurel.rulesWithoutLeaderboards()));
            var throughput = new KafkaThroughput(process.bootstrapServers(), laurel);
            var sizes = new ArrayList<Size>();
            int created = 0;
            for (int users : plan.growth()) {
                int first = created;
                throughput.measure(
                        users - first, number -> laurel.events().of(nextEvent++, BenchTraffic.user(first + number)));
                created = users;
                measure(process, laurel, users, "warm-up");
                var rates = new ArrayList<Double>();
                for (int slice = 1; slice <= plan.slices(); slice++) {
                    rates.add(measure(process, laurel, users, slice + "/" + plan.slices())
                            .eventsPerSecond());
                }
                sizes.add(new Size(users, Median.of(rates)));
            }
            return sizes;
        }
    }

    /** Measures one slice: each event belongs to any user, so that caches do not help where there are many. */
    private KafkaThroughput.Result measure(OneProcess process, Subject subject, int users, String slice) {
        KafkaThroughput.Result result = new KafkaThroughput(process.bootstrapServers(), subject)
                .measure(plan.events(), _ -> {
                    long event = nextEvent++;
                    return subject.events().of(event, BenchTraffic.userOf(event, users));
                });
        progress.line("%s, %,d users, %s: %,.0f events/s", subject.name(), users, slice, result.eventsPerSecond());
        return result;
    }

    /**
     * A plan. Figures are medians, because small machines have bursts of noise that are longer than a slice.
     *
     * @param users users in the comparison
     * @param slices measured slices, after one for warm-up
     * @param growth numbers of users, ascending; the same instance grows from one to the next; empty: not measured
     */
    record Plan(int partitions, int users, int slices, int events, List<Integer> growth) {

        Plan {
            growth = List.copyOf(growth);
            if (slices < 1 || events < 1) {
                throw new IllegalArgumentException("A plan has at least one slice and one event");
            }
            if (!growth.equals(List.copyOf(new TreeSet<>(growth)))) {
                throw new IllegalArgumentException("Users must ascend: " + growth);
            }
        }

        /** @param isQuick the compiler is not done by the end, so the figures only show whether something is broken */
        static Plan of(boolean isQuick) {
            return isQuick
                    ? new Plan(OneProcess.PARTITIONS, 10_000, 2, 50_000, List.of())
                    : new Plan(OneProcess.PARTITIONS, 10_000, 3, 250_000, List.of(1_000, 100_000, 1_000_000));
        }
    }

    /**
     * Medians of one subject.
     *
     * @param effectsPerEvent similar for both in a fair comparison
     * @param cpuMsPerEvent processor time of the process, broker included
     */
    record Figures(double eventsPerSecond, double effectsPerEvent, double cpuMsPerEvent) {

        private static Figures of(List<KafkaThroughput.Result> results) {
            return new Figures(
                    Median.of(results, KafkaThroughput.Result::eventsPerSecond),
                    Median.of(results, KafkaThroughput.Result::effectsPerEvent),
                    Median.of(results, KafkaThroughput.Result::cpuMsPerEvent));
        }
    }

    /** Median of events per second with so many users. */
    record Size(int users, double eventsPerSecond) {}

    /** @param byUsers by number of users; empty: not measured */
    record Report(@JsonIgnore Machine machine, Figures bare, Figures laurel, int events, List<Size> byUsers)
            implements BenchResult {
        private static final double TARGET = 0.7;

        /** Least ratio to the rate with the smallest number of users. */
        private static final double GROWTH_TARGET = 0.75;

        double ratio() {
            return laurel.eventsPerSecond() / bare.eventsPerSecond();
        }

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "bare", "laurel", "ratio", "target");
            row(
                    table,
                    "events/s through Kafka",
                    "%,.0f",
                    bare.eventsPerSecond(),
                    laurel.eventsPerSecond(),
                    "≥ " + TARGET);
            row(table, "effects per event", "%.2f", bare.effectsPerEvent(), laurel.effectsPerEvent(), "");
            row(table, "CPU ms per event", "%.3f", bare.cpuMsPerEvent(), laurel.cpuMsPerEvent(), "");
            String text =
                    format("%s%nmedians of slices of %,d events%n%n%s", machine.description(), events, table.text());
            return byUsers.isEmpty() ? text : text + growth();
        }

        private static void row(
                TextTable table, String label, String format, double bare, double laurel, String target) {
            table.row(label, format(format, bare), format(format, laurel), format("%.2f", laurel / bare), target);
        }

        private String growth() {
            var table = TextTable.ofNumbers();
            table.row("users", "events/s", "ratio", "target");
            byUsers.forEach(size -> table.row(
                    format("%,d", size.users()),
                    format("%,.0f", size.eventsPerSecond()),
                    format("%.2f", size.eventsPerSecond() / byUsers.getFirst().eventsPerSecond()),
                    "≥ " + GROWTH_TARGET));
            return format("%nDoes an event cost more when there are more users?%n%n") + table.text();
        }

        /** Returns each subject under its name, {@code ratios}, and {@code byUsers} if it was measured. */
        @Override
        public Map<String, ?> figures() {
            var figures = new LinkedHashMap<String, Object>();
            figures.put("bare", bare);
            figures.put("laurel", laurel);
            figures.put("ratios", Map.of("throughput", ratio()));
            if (!byUsers.isEmpty()) {
                figures.put("byUsers", byUsers);
            }
            return figures;
        }
    }
}
