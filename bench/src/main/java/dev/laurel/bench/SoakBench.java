package dev.laurel.bench;

import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.load.LoadGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Loads one instance steadily with events of all kinds of rules, a quarter of them ranked on two leaderboards, and as
 * many reads, and takes samples. First it sends as many events at once, so that write buffers and caches, which a
 * small load fills in an hour, have reached their limits. Broker and load generator run in the same process and
 * contribute to its growth.
 */
final class SoakBench {
    private static final int CONNECTIONS = 32;
    private static final int EVENTS_PER_RANKED = 4;
    private static final int PARTICIPANTS = 900;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration FILL_TIMEOUT = Duration.ofMinutes(20);
    private static final double MINUTE_S = 60;

    /** Salt that gives reads another order than events. */
    private static final long READS = 1;

    private final Subject.Ranking subject;
    private final Subject.Environment environment;
    private final Plan plan;
    private final Progress progress;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicLong nextRead = new AtomicLong();
    private final LoadGenerator events;
    private final LoadGenerator reads;

    /** Number of events that have been answered, so that their users can be read. */
    private volatile long readable;

    private SoakBench(Subject.Ranking subject, Subject.Environment environment, Plan plan, Progress progress) {
        this.subject = subject;
        this.environment = environment;
        this.plan = plan;
        this.progress = progress;
        events = new LoadGenerator(subject.httpAddress(), () -> eventRequest(nextEvent.getAndIncrement()));
        reads = new LoadGenerator(subject.httpAddress(), this::nextReadRequest);
    }

    /**
     * Blocks for the duration of the plan.
     *
     * @param progress receives a line per minute
     */
    static SoakReport run(Plan plan, Progress progress) {
        try (BenchHarness harness = BenchHarness.open(List.of(LaurelSubject::start), plan.partitions(), plan.users(),
                progress)) {
            return new SoakBench((Subject.Ranking) harness.subjects().getFirst(), harness.environment(), plan, progress)
                    .run();
        }
    }

    private byte[] eventRequest(long event) {
        return isRanked(event) ? subject.plainEventRequest(participant(event), true) : subject.eventRequest(event);
    }

    /** Returns the same event as a record. */
    private ProducerRecord<byte[], byte[]> record(long event) {
        return isRanked(event) ? subject.plainEvent(participant(event), true) : subject.event(event);
    }

    private byte[] nextReadRequest() {
        long event = BenchTraffic.below(readable, nextRead.getAndIncrement(), READS);
        return isRanked(event)
                ? subject.rankRequest(participant(event))
                : subject.readRequest(environment.users().userOf(event));
    }

    private static boolean isRanked(long event) {
        return event % EVENTS_PER_RANKED == 0;
    }

    private static String participant(long event) {
        return "rank-" + new UniformUsers(PARTICIPANTS).userOf(event);
    }

    private SoakReport run() {
        subject.rank(2);
        fill(plan.eventsBefore());
        events.closedLoop(CONNECTIONS, WARM_UP);
        var otherWork = new CompetingLoad();
        var samples = new ArrayList<SoakReport.Sample>();
        try (var memory = new MemoryGauge()) {
            long startNanos = System.nanoTime();
            double nextLineS = MINUTE_S;
            progress.line(SoakReport.Table.HEAD);
            while (System.nanoTime() - startNanos < plan.duration().toNanos()) {
                samples.add(sample(memory, startNanos));
                if (samples.getLast().seconds() >= nextLineS) {
                    progress.line(SoakReport.Table.line(samples, nextLineS - MINUTE_S));
                    nextLineS += MINUTE_S;
                }
            }
        }
        return SoakReport.of(Machine.after(otherWork), plan, samples);
    }

    /** Returns when all events are committed. */
    private void fill(int events) {
        String topic = subject.event(0).topic();
        try (var committed = new CommittedEvents(environment.bootstrapServers(), subject.applicationId(), topic)) {
            long end = committed.count() + events;
            KafkaThroughput.write(environment.bootstrapServers(), events, _ -> record(nextEvent.getAndIncrement()));
            committed.await(end, FILL_TIMEOUT, subject::processed);
            progress.line("filled with %,d events", events);
        }
    }

    private SoakReport.Sample sample(MemoryGauge memory, long startNanos) {
        readable = nextEvent.get();
        CompletableFuture<LoadGenerator.Result> reading = CompletableFuture
                .supplyAsync(() -> reads.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS));
        LoadGenerator.Result written = events.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS);
        LoadGenerator.Result read = reading.join();
        return new SoakReport.Sample((System.nanoTime() - startNanos) / 1e9, memory.sample(), MemoryGauge.threads(),
                MemoryGauge.openFiles(), written.latencyMs(), read.latencyMs(),
                written.errorCount() + read.errorCount());
    }

    /**
     * Plan of a steady load.
     *
     * @param ratePerSecond rate of events, and of reads
     * @param interval time between two samples; latencies are per interval
     */
    record Plan(int partitions, int users, Duration duration, int ratePerSecond, Duration interval) {
        static final int RATE = 200;
        private static final int PARTITIONS = 4;
        private static final int USERS = 10_000;
        private static final int RATE_MAX = 20_000;
        private static final Duration DURATION_MIN = Duration.ofSeconds(10);
        private static final Duration DURATION_MAX = Duration.ofHours(12);
        private static final Duration INTERVAL_MIN = Duration.ofMillis(500);
        private static final Duration INTERVAL_MAX = Duration.ofSeconds(15);
        private static final int SAMPLES = 40;
        private static final long EVENTS_BEFORE_MAX = 1_000_000;

        Plan {
            if (ratePerSecond < 1 || ratePerSecond > RATE_MAX) {
                throw new IllegalArgumentException("a rate is 1 to " + RATE_MAX + " events/s, not " + ratePerSecond);
            }
            if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
                throw new IllegalArgumentException(
                        "a soak lasts " + DURATION_MIN + " to " + DURATION_MAX + ", not " + duration);
            }
        }

        /** @throws IllegalArgumentException naming the value that is out of range */
        static Plan of(Duration duration, int ratePerSecond) {
            Duration part = duration.dividedBy(SAMPLES);
            Duration interval = part.compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : part;
            return new Plan(PARTITIONS, USERS, duration, ratePerSecond,
                    interval.compareTo(INTERVAL_MIN) < 0 ? INTERVAL_MIN : interval);
        }

        /** Returns the number of events before the load: as many as the load has, at most a million. */
        int eventsBefore() {
            return (int) Math.min(EVENTS_BEFORE_MAX, ratePerSecond * duration.toSeconds());
        }

        /**
         * Returns the time at the beginning that is not evaluated, because the compiler is at work, the heap grows
         * and users are new: a quarter, at most twenty minutes.
         */
        Duration settling() {
            Duration quarter = duration.dividedBy(4);
            Duration most = Duration.ofMinutes(20);
            return quarter.compareTo(most) > 0 ? most : quarter;
        }
    }
}
