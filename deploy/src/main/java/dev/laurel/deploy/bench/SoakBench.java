package dev.laurel.deploy.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Loads one instance steadily, with events of all kinds of rules, a quarter of them ranked on two leaderboards, and as many reads;
 * and takes samples of it. Before that it is given as many events at once, so that write buffers and caches, which take an hour of
 * a small load to come to their bounds, are there already. The broker and the load are in the same process, as in all of {@code bench}: what grows may be theirs.
 */
final class SoakBench {
    private static final int CONNECTIONS = 32;
    private static final int EVENTS_PER_RANKED = 4;
    private static final int PARTICIPANTS = 900;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration FILL_TIMEOUT = Duration.ofMinutes(20);
    private static final long CHECK_NANOS = 50_000_000;
    private static final double MINUTE_S = 60;

    /** For {@link Mix}: reads come in another order than events. */
    private static final long READS = 1;

    private final RankingSubject subject;
    private final BenchEnvironment bed;
    private final SoakPlan plan;
    private final Consumer<String> progress;
    private final AtomicLong nextEvent = new AtomicLong();
    private final AtomicLong nextRead = new AtomicLong();
    private final LoadGenerator events;
    private final LoadGenerator reads;

    /** Events up to here are answered, so that who reported them can be read. */
    private volatile long readable;

    private SoakBench(RankingSubject subject, BenchEnvironment bed, SoakPlan plan, Consumer<String> progress) {
        this.subject = subject;
        this.bed = bed;
        this.plan = plan;
        this.progress = progress;
        events = new LoadGenerator(subject.httpAddress(), () -> eventRequest(nextEvent.getAndIncrement()));
        reads = new LoadGenerator(subject.httpAddress(), this::nextReadRequest);
    }

    /** Blocks for as long as the plan says. @param progress told a line per minute */
    static SoakReport run(SoakPlan plan, Consumer<String> progress) {
        try (Bed bed = Bed.open(List.of(LaurelSubject::start), plan.partitions(), plan.users(), progress)) {
            return new SoakBench((RankingSubject) bed.subjects().getFirst(), bed.environment(), plan, progress)
                    .run();
        }
    }

    private byte[] eventRequest(long event) {
        return isRanked(event) ? subject.plainEventRequest(participant(event), true) : subject.eventRequest(event);
    }

    /** The same event through Kafka. */
    private ProducerRecord<byte[], byte[]> record(long event) {
        return isRanked(event) ? subject.plainEvent(participant(event), true) : subject.event(event);
    }

    private byte[] nextReadRequest() {
        long event = Mix.below(readable, nextRead.getAndIncrement(), READS);
        return isRanked(event)
                ? subject.rankRequest(participant(event))
                : subject.readRequest(bed.users().userOf(event));
    }

    private static boolean isRanked(long event) {
        return event % EVENTS_PER_RANKED == 0;
    }

    private static String participant(long event) {
        return "rank-" + Long.remainderUnsigned(Mix.of(event), PARTICIPANTS);
    }

    private SoakReport run() {
        subject.rank(2);
        fill(plan.eventsBefore());
        events.closedLoop(CONNECTIONS, WARM_UP);
        var otherWork = new OtherWork();
        var samples = new ArrayList<SoakSample>();
        try (var memory = new MemoryGauge()) {
            long startNanos = System.nanoTime();
            double nextLineS = MINUTE_S;
            progress.accept(SoakTable.HEAD);
            while (System.nanoTime() - startNanos < plan.duration().toNanos()) {
                samples.add(sample(memory, startNanos));
                if (samples.getLast().seconds() >= nextLineS) {
                    progress.accept(SoakTable.line(samples, nextLineS - MINUTE_S));
                    nextLineS += MINUTE_S;
                }
            }
        }
        return SoakReport.of(ThisMachine.now(otherWork.share()), plan, samples);
    }

    /** Returns when they are committed. */
    private void fill(int events) {
        String topic = subject.event(0).topic();
        try (var committed = new CommittedEvents(bed.bootstrapServers(), subject.applicationId(), topic)) {
            long end = committed.count() + events;
            new Backlog(bed.bootstrapServers()).write(events, _ -> record(nextEvent.getAndIncrement()));
            long deadlineNanos = System.nanoTime() + FILL_TIMEOUT.toNanos();
            while (committed.count() < end) {
                // Throws when the subject has failed.
                subject.processed();
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("the first events were not processed within " + FILL_TIMEOUT);
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
            progress.accept(String.format(Locale.ROOT, "filled with %,d events", events));
        }
    }

    private SoakSample sample(MemoryGauge memory, long startNanos) {
        readable = nextEvent.get();
        CompletableFuture<LoadResult> reading = CompletableFuture
                .supplyAsync(() -> reads.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS));
        LoadResult written = events.openLoop(plan.ratePerSecond(), plan.interval(), CONNECTIONS);
        LoadResult read = reading.join();
        return new SoakSample((System.nanoTime() - startNanos) / 1e9, memory.sample(), MemoryGauge.threads(),
                MemoryGauge.openFiles(), written.latencyMs(), read.latencyMs(),
                written.errorCount() + read.errorCount());
    }
}
