package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.laurel.bench.load.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The figures of a comparison. The second subject, if any, is compared with the first. */
record BenchReport(Machine machine, List<SubjectReport> subjects) implements BenchResult {
    static final double THROUGHPUT_TARGET = 0.7;
    static final double LATENCY_TARGET = 1.5;

    BenchReport {
        subjects = List.copyOf(subjects);
        if (subjects.isEmpty() || subjects.size() > 2) {
            throw new IllegalArgumentException("A report compares one subject or two");
        }
    }

    /**
     * @param eventsPerSecond maximum rate through Kafka
     * @param latencyMs latency of events over HTTP at the first rate of {@code atRate}
     * @param effectsPerEvent effects per event through Kafka; similar for all subjects in a fair comparison
     * @param resources resources used by events through Kafka
     * @param byUsers rates through Kafka with increasing numbers of users; null: not measured
     * @param byPastEvents rates with increasing numbers of past events; null: not measured
     * @param leaderboards cost of leaderboards; null: not measured
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SubjectReport(String name, double eventsPerSecond, double effectsPerEvent, Latency latencyMs,
            List<RateReport> atRate, List<ConnectionsReport> flatOut, List<ConnectionsReport> reads,
            ResourceMeter.Use resources, GrowthBench.@Nullable Report byUsers,
            GrowthBench.@Nullable Report byPastEvents, LeaderboardBench.@Nullable Report leaderboards) {

        SubjectReport {
            atRate = List.copyOf(atRate);
            flatOut = List.copyOf(flatOut);
            reads = List.copyOf(reads);
        }

        SubjectReport withGrowth(GrowthBench.@Nullable Report users, GrowthBench.@Nullable Report pastEvents,
                LeaderboardBench.@Nullable Report boards) {
            return new SubjectReport(name, eventsPerSecond, effectsPerEvent, latencyMs, atRate, flatOut, reads,
                    resources, users, pastEvents, boards);
        }
    }

    /** Result of an open loop at a fixed rate. */
    record RateReport(int ratePerSecond, Latency latencyMs, Map<Integer, Long> errors) {}

    /** Result of a closed loop. */
    record ConnectionsReport(int connections, double perSecond, Latency latencyMs, Map<Integer, Long> errors) {}

    /** Figures of the second subject divided by those of the first: throughputs should be high, latencies low. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ratios(double throughput, double latencyP50, double latencyP99,
            @Nullable Double httpFlatOut, @Nullable Double readsPerSecond) {

        boolean met() {
            return throughput >= THROUGHPUT_TARGET && latencyP50 <= LATENCY_TARGET && latencyP99 <= LATENCY_TARGET;
        }
    }

    Optional<Ratios> ratios() {
        if (subjects.size() < 2) {
            return Optional.empty();
        }
        SubjectReport bare = subjects.getFirst();
        SubjectReport other = subjects.getLast();
        return Optional.of(new Ratios(other.eventsPerSecond() / bare.eventsPerSecond(),
                other.latencyMs().p50() / bare.latencyMs().p50(), other.latencyMs().p99() / bare.latencyMs().p99(),
                best(other.flatOut(), bare.flatOut()), best(other.reads(), bare.reads())));
    }

    private static @Nullable Double best(List<ConnectionsReport> other, List<ConnectionsReport> bare) {
        double otherMost = other.stream().mapToDouble(ConnectionsReport::perSecond).max().orElse(0);
        double bareMost = bare.stream().mapToDouble(ConnectionsReport::perSecond).max().orElse(0);
        return bareMost == 0 ? null : otherMost / bareMost;
    }

    @Override
    public String toTable() {
        return new BenchReportTable(this).text();
    }

    /**
     * Returns each subject under its name, and {@code ratios} if there are two subjects. A full run adds {@code
     * byUsers} and {@code byPastEvents} to the last subject: {@code sizes} in ascending order, each with its {@code
     * loads} ({@code visits} and {@code anyUser}; {@code now} and {@code late}), and {@code leaderboards}.
     */
    @Override
    public Map<String, ?> figures() {
        var figures = new LinkedHashMap<String, Object>();
        subjects.forEach(subject -> figures.put(subject.name(), subject));
        ratios().ifPresent(ratios -> figures.put("ratios", ratios));
        return figures;
    }
}
