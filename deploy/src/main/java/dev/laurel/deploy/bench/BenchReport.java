package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of one run. The first subject is the yardstick that the second, where there is one, is compared with. As JSON
 * each subject stands under its name, and {@code ratios} when there are two; a full run adds {@code byUsers} and
 * {@code byPastEvents} to the last subject: {@code sizes} from the smallest, each with its {@code loads} ({@code visits} and
 * {@code anyUser}; {@code now} and {@code late}), and {@code leaderboards}.
 */
public record BenchReport(Machine machine, List<SubjectReport> subjects) implements Findings {
    static final double THROUGHPUT_TARGET = 0.7;
    static final double LATENCY_TARGET = 1.5;
    /** Beyond this share of other work the ratios still mean something, the figures do not. */
    static final double BUSY_ELSEWHERE_MAX = 0.1;

    public BenchReport {
        subjects = List.copyOf(subjects);
        if (subjects.isEmpty() || subjects.size() > 2) {
            throw new IllegalArgumentException("A report compares one subject or two");
        }
    }

    /**
     * @param memoryBytes of the whole machine
     * @param heapBytes the most this process may use
     * @param busyElsewhere share of all cores that other processes took during the run, {@code null} if unknown
     */
    public record Machine(int cores, long memoryBytes, long heapBytes, String java, String kafka, String os,
            Double busyElsewhere) {}

    /**
     * @param eventsPerSecond flat out through Kafka
     * @param latencyMs of events over HTTP at the first rate of {@code atRate}
     * @param effectsPerEvent records that the events through Kafka left on the topic of effects: alike where the
     *        comparison is fair
     * @param resources of the events through Kafka
     * @param byUsers through Kafka in an instance of its own with more and more users, null if not measured
     * @param byPastEvents the same of users with longer and longer pasts, likewise
     * @param leaderboards what they cost, likewise
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SubjectReport(String name, double eventsPerSecond, double effectsPerEvent, Latency latencyMs,
            List<RateReport> atRate, List<ConnectionsReport> flatOut, List<ConnectionsReport> reads,
            ResourceUse resources, GrowthReport byUsers, GrowthReport byPastEvents, BoardsReport leaderboards) {

        public SubjectReport {
            atRate = List.copyOf(atRate);
            flatOut = List.copyOf(flatOut);
            reads = List.copyOf(reads);
        }

        SubjectReport withLeaderboards(BoardsReport boards) {
            return new SubjectReport(name, eventsPerSecond, effectsPerEvent, latencyMs, atRate, flatOut, reads,
                    resources, byUsers, byPastEvents, boards);
        }

        SubjectReport withGrowth(GrowthReport users, GrowthReport pastEvents) {
            return new SubjectReport(name, eventsPerSecond, effectsPerEvent, latencyMs, atRate, flatOut, reads,
                    resources, users, pastEvents, leaderboards);
        }
    }

    /** An open loop at a fixed rate. */
    public record RateReport(int ratePerSecond, Latency latencyMs, Map<Integer, Long> errors) {}

    /** A closed loop of some connections. */
    public record ConnectionsReport(int connections, double perSecond, Latency latencyMs, Map<Integer, Long> errors) {}

    /** The second subject over the first: throughput is better when higher, latencies when lower. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Ratios(double throughput, double latencyP50, double latencyP99, Double httpFlatOut,
            Double readsPerSecond) {

        boolean met() {
            return throughput >= THROUGHPUT_TARGET && latencyP50 <= LATENCY_TARGET && latencyP99 <= LATENCY_TARGET;
        }
    }

    public Optional<Ratios> ratios() {
        if (subjects.size() < 2) {
            return Optional.empty();
        }
        SubjectReport bare = subjects.getFirst();
        SubjectReport other = subjects.getLast();
        return Optional.of(new Ratios(other.eventsPerSecond() / bare.eventsPerSecond(),
                other.latencyMs().p50() / bare.latencyMs().p50(), other.latencyMs().p99() / bare.latencyMs().p99(),
                best(other.flatOut(), bare.flatOut()), best(other.reads(), bare.reads())));
    }

    private static Double best(List<ConnectionsReport> other, List<ConnectionsReport> bare) {
        double otherMost = other.stream().mapToDouble(ConnectionsReport::perSecond).max().orElse(0);
        double bareMost = bare.stream().mapToDouble(ConnectionsReport::perSecond).max().orElse(0);
        return bareMost == 0 ? null : otherMost / bareMost;
    }

    @Override
    public String toTable() {
        return new ReportTable(this).text();
    }

    /**
     * For machines: {@code machine}, each subject under its name, and {@code ratios} when there are two. A full run adds
     * {@code byUsers} and {@code byPastEvents} to the last subject: {@code sizes} from the smallest, each with its
     * {@code loads} ({@code visits} and {@code anyUser}; {@code now} and {@code late}), and {@code leaderboards}.
     */
    @Override
    public String toJson() {
        var found = new LinkedHashMap<String, Object>();
        subjects.forEach(subject -> found.put(subject.name(), subject));
        ratios().ifPresent(ratios -> found.put("ratios", ratios));
        return ThisMachine.json(machine, found);
    }
}
