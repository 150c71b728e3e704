package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.BenchReport.ConnectionsReport;
import dev.laurel.deploy.bench.BenchReport.RateReport;
import dev.laurel.deploy.bench.BenchReport.SubjectReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Warms one subject up, measures it slice by slice and sums the slices up as medians. Single-threaded. */
final class SubjectBench {
    private static final int OPEN_LOOP_CONNECTIONS_MIN = 16;
    private static final int OPEN_LOOP_CONNECTIONS_MAX = 256;
    /** Connections for the rate times this delay: an answer may take so long before another request must wait for it. */
    private static final double OPEN_LOOP_DELAY_S = 0.1;
    private static final int WARM_UP_CONNECTIONS = 32;

    private final Subject subject;
    private final BenchPlan plan;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicLong nextRead = new AtomicLong();
    private final UniformUsers users;
    private final KafkaThroughput throughput;
    private final LoadGenerator events;
    private final LoadGenerator reads;

    private final List<ThroughputResult> throughputs = new ArrayList<>();
    private final Map<Integer, List<LoadResult>> atRate = new LinkedHashMap<>();
    private final Map<Integer, List<LoadResult>> flatOut = new LinkedHashMap<>();
    private final Map<Integer, List<LoadResult>> readsFlatOut = new LinkedHashMap<>();

    SubjectBench(Subject subject, BenchPlan plan, BenchEnvironment environment) {
        this.subject = subject;
        this.plan = plan;
        users = environment.users();
        throughput = new KafkaThroughput(environment.bootstrapServers(), subject, nextEvent);
        events = new LoadGenerator(subject.httpAddress(), () -> subject.eventRequest(nextEvent.getAndIncrement()));
        reads = new LoadGenerator(subject.httpAddress(), this::nextReadRequest);
    }

    /** Reads users of past events only: each has been written. */
    private byte[] nextReadRequest() {
        return subject.readRequest(users.userOf(nextRead.getAndIncrement() % nextEvent.get()));
    }

    String name() {
        return subject.name();
    }

    void warmUp() {
        throughput.measure(Math.max(1, plan.kafkaEvents() / 2));
        events.closedLoop(WARM_UP_CONNECTIONS, plan.warmUp());
        reads.closedLoop(WARM_UP_CONNECTIONS, plan.warmUp().dividedBy(4));
    }

    /** Measures everything once and returns a line about it. */
    String slice() {
        throughputs.add(throughput.measure(plan.kafkaEvents()));
        for (int rate : plan.ratesPerSecond()) {
            int connections = Math.clamp(Math.round(rate * OPEN_LOOP_DELAY_S), OPEN_LOOP_CONNECTIONS_MIN,
                    OPEN_LOOP_CONNECTIONS_MAX);
            add(atRate, rate, events.openLoop(rate, plan.rateDuration(), connections));
        }
        for (int connections : plan.connections()) {
            add(flatOut, connections, events.closedLoop(connections, plan.connectionsDuration()));
        }
        for (int connections : plan.readConnections()) {
            add(readsFlatOut, connections, reads.closedLoop(connections, plan.readDuration()));
        }
        LoadResult atFirstRate = atRate.get(plan.ratesPerSecond().getFirst()).getLast();
        return String.format(Locale.ROOT, "%,.0f events/s, p50 %.2f ms, p99 %.2f ms at %d/s",
                throughputs.getLast().eventsPerSecond(), atFirstRate.latencyMs().p50(), atFirstRate.latencyMs().p99(),
                plan.ratesPerSecond().getFirst());
    }

    private static void add(Map<Integer, List<LoadResult>> results, int key, LoadResult result) {
        results.computeIfAbsent(key, _ -> new ArrayList<>()).add(result);
    }

    SubjectReport report() {
        List<RateReport> rates = atRate.entrySet().stream()
                .map(rate -> new RateReport(rate.getKey(), latency(rate.getValue()), errors(rate.getValue()))).toList();
        return new SubjectReport(subject.name(),
                Median.of(throughputs.stream().mapToDouble(ThroughputResult::eventsPerSecond)),
                Median.of(throughputs.stream().mapToDouble(ThroughputResult::effectsPerEvent)),
                rates.getFirst().latencyMs(), rates, connections(flatOut), connections(readsFlatOut), resources(),
                null, null, null);
    }

    private static List<ConnectionsReport> connections(Map<Integer, List<LoadResult>> results) {
        return results.entrySet().stream()
                .map(loop -> new ConnectionsReport(loop.getKey(),
                        Median.of(loop.getValue().stream().mapToDouble(LoadResult::eventsPerSecond)),
                        latency(loop.getValue()), errors(loop.getValue())))
                .toList();
    }

    private static Latency latency(List<LoadResult> slices) {
        return Latency.median(slices.stream().map(LoadResult::latencyMs).toList());
    }

    private static Map<Integer, Long> errors(List<LoadResult> slices) {
        var errors = new TreeMap<Integer, Long>();
        slices.forEach(slice -> slice.errors().forEach((status, times) -> errors.merge(status, times, Long::sum)));
        return errors;
    }

    private ResourceUse resources() {
        List<ResourceUse> uses = throughputs.stream().map(ThroughputResult::resources).toList();
        ResourceUse last = uses.getLast();
        return new ResourceUse(uses.stream().mapToLong(ResourceUse::events).sum(),
                Median.of(uses.stream().mapToDouble(ResourceUse::cpuSecondsPerThousand)),
                Median.of(uses.stream().mapToDouble(ResourceUse::writtenBytesPerThousand)),
                Median.of(uses.stream().mapToDouble(ResourceUse::systemCallBytesPerThousand)), last.residentBytes(),
                last.residentBytesMax());
    }
}
