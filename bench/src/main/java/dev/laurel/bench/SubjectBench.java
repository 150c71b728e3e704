package dev.laurel.bench;

import dev.laurel.bench.BenchReport.ConnectionsReport;
import dev.laurel.bench.BenchReport.RateReport;
import dev.laurel.bench.BenchReport.SubjectReport;
import dev.laurel.bench.load.Latency;
import dev.laurel.bench.load.LoadGenerator;
import dev.laurel.bench.load.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Warms up one subject, measures it slice by slice and computes medians. Used by one thread. */
final class SubjectBench {
    private static final int OPEN_LOOP_CONNECTIONS_MIN = 16;
    private static final int OPEN_LOOP_CONNECTIONS_MAX = 256;
    /** Delay of a response up to which no other request waits for a free connection. */
    private static final double OPEN_LOOP_DELAY_S = 0.1;
    private static final int WARM_UP_CONNECTIONS = 32;

    private final Subject subject;
    private final Bench.Plan plan;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicLong nextRead = new AtomicLong();
    private final UniformUsers users;
    private final KafkaThroughput throughput;
    private final LoadGenerator events;
    private final LoadGenerator reads;

    private final List<KafkaThroughput.Result> throughputs = new ArrayList<>();
    private final SequencedMap<Integer, List<LoadGenerator.Result>> atRate = new LinkedHashMap<>();
    private final Map<Integer, List<LoadGenerator.Result>> flatOut = new LinkedHashMap<>();
    private final Map<Integer, List<LoadGenerator.Result>> readsFlatOut = new LinkedHashMap<>();

    SubjectBench(Subject subject, Bench.Plan plan, Subject.Environment environment) {
        this.subject = subject;
        this.plan = plan;
        users = environment.users();
        throughput = new KafkaThroughput(environment.bootstrapServers(), subject);
        events = new LoadGenerator(subject.httpAddress(), () -> subject.eventRequest(nextEvent.getAndIncrement()));
        reads = new LoadGenerator(subject.httpAddress(), this::nextReadRequest);
    }

    private ProducerRecord<byte[], byte[]> nextEvent(int number) {
        return subject.event(nextEvent.getAndIncrement());
    }

    /** Reads users of past events, who exist. */
    private byte[] nextReadRequest() {
        return subject.readRequest(users.userOf(nextRead.getAndIncrement() % nextEvent.get()));
    }

    String name() {
        return subject.name();
    }

    void warmUp() {
        throughput.measure(Math.max(1, plan.kafkaEvents() / 2), this::nextEvent);
        events.closedLoop(WARM_UP_CONNECTIONS, plan.warmUp());
        reads.closedLoop(WARM_UP_CONNECTIONS, plan.warmUp().dividedBy(4));
    }

    /** Measures everything once and returns a line about it. */
    String slice() {
        throughputs.add(throughput.measure(plan.kafkaEvents(), this::nextEvent));
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
        LoadGenerator.Result atFirstRate = atRate.sequencedValues().getFirst().getLast();
        return BenchResult.format("%,.0f events/s, p50 %.2f ms, p99 %.2f ms at %d/s",
                throughputs.getLast().eventsPerSecond(), atFirstRate.latencyMs().p50(), atFirstRate.latencyMs().p99(),
                plan.ratesPerSecond().getFirst());
    }

    private static void add(Map<Integer, List<LoadGenerator.Result>> results, int key, LoadGenerator.Result result) {
        results.computeIfAbsent(key, _ -> new ArrayList<>()).add(result);
    }

    SubjectReport report() {
        List<RateReport> rates = atRate.entrySet().stream()
                .map(rate -> new RateReport(rate.getKey(), latency(rate.getValue()), errors(rate.getValue()))).toList();
        return new SubjectReport(subject.name(),
                Median.of(throughputs, KafkaThroughput.Result::eventsPerSecond),
                Median.of(throughputs, KafkaThroughput.Result::effectsPerEvent),
                rates.getFirst().latencyMs(), rates, connections(flatOut), connections(readsFlatOut), resources(),
                null, null, null);
    }

    private static List<ConnectionsReport> connections(Map<Integer, List<LoadGenerator.Result>> results) {
        return results.entrySet().stream()
                .map(loop -> new ConnectionsReport(loop.getKey(),
                        Median.of(loop.getValue(), LoadGenerator.Result::eventsPerSecond),
                        latency(loop.getValue()), errors(loop.getValue())))
                .toList();
    }

    private static Latency latency(List<LoadGenerator.Result> slices) {
        return Latency.median(slices.stream().map(LoadGenerator.Result::latencyMs).toList());
    }

    private static Map<Integer, Long> errors(List<LoadGenerator.Result> slices) {
        var errors = new TreeMap<Integer, Long>();
        slices.forEach(slice -> slice.errors().forEach((status, times) -> errors.merge(status, times, Long::sum)));
        return errors;
    }

    private ResourceMeter.Use resources() {
        List<ResourceMeter.Use> uses = throughputs.stream().map(KafkaThroughput.Result::resources).toList();
        return new ResourceMeter.Use(uses.stream().mapToLong(ResourceMeter.Use::events).sum(),
                Median.of(uses, ResourceMeter.Use::cpuSecondsPerThousand),
                Median.of(uses, ResourceMeter.Use::writtenBytesPerThousand),
                Median.of(uses, ResourceMeter.Use::systemCallBytesPerThousand),
                uses.getLast().residentBytes(), uses.getLast().residentBytesMax());
    }
}
