package dev.laurel.processors.ledger;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Counters and timers of the ledger's tasks. A record costs one increment and, if a client waits for its answer, one measured
 * duration: together 0.1 µs, without allocation. Thread-safe.
 */
public final class LedgerMeters {

    private static final MeterName COMMANDS =
            MeterName.of("laurel.ledger.commands", "Records of the log that were processed, by outcome.");
    private static final MeterName LATENCY = MeterName.ofSeconds(
            "laurel.ledger.answer.latency",
            "Time from a command for which a client waits until the ledger has written its answer.");
    private static final MeterName TIMERS_OVERDUE = MeterName.ofSeconds(
            "laurel.ledger.timers.overdue",
            "How long the oldest due timer of a partition has been due; 0 if none is due, or while timers are held.");
    private static final MeterName TIMERS_HELD = MeterName.of(
            "laurel.ledger.timers.held", "Partitions of this process whose timers are held, as during an import.");
    private static final MeterName SILENT = MeterName.of(
            "laurel.ledger.partitions.silent",
            "Partitions of this process for which the generation publishes nothing, as before and after a promotion.");
    private static final MeterName GENERATIONS = MeterName.of(
            "laurel.generations",
            "1 for each generation that is not over, by state; if several are in force, the one with the highest"
                    + " number applies.");
    private static final MeterName GENERATION =
            MeterName.of("laurel.ledger.generation", "Number of the generation that this process reads from.");

    private static final Duration[] BUCKETS = Stream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** The outcome of a record of the log. */
    enum End {
        /** A metric event was applied. */
        EVENT,
        /** Any other command of a user was applied. */
        CHANGE,
        /** A command was repeated, according to its idempotency key. */
        REPEATED,
        /** A command was refused, and its client received the reason. */
        REFUSED,
        /** A record cannot be used, and no client waits for its answer. It was written to {@code laurel.rejections}. */
        REJECTED,
        /** A marker was applied: a ruleset, a tick, a hold or a generation. */
        MARKER
    }

    private final InstantSource clock;
    private final LongAdder[] ends =
            Stream.generate(LongAdder::new).limit(End.values().length).toArray(LongAdder[]::new);
    private final Set<TimerWatch> watches = ConcurrentHashMap.newKeySet();
    private final Timer latency;

    /**
     * @param tags of all these meters
     * @param clock the clock that stamps commands
     */
    public LedgerMeters(MeterScope meters, Tags tags, InstantSource clock) {
        this.clock = clock;
        for (End end : End.values()) {
            meters.counter(COMMANDS, tags.and("outcome", IssueList.word(end)), ends[end.ordinal()]::sum);
        }
        this.latency = meters.timer(LATENCY, tags, BUCKETS);
        meters.gauges(TIMERS_OVERDUE, () -> {
            long nowMs = clock.millis();
            return watches.stream()
                    .map(watch ->
                            new Line(tags.and("partition", Integer.toString(watch.partition)), watch.overdueS(nowMs)))
                    .toList();
        });
        meters.gauge(
                SILENT,
                tags,
                () -> watches.stream().filter(watch -> watch.isSilent).count());
        meters.gauge(
                TIMERS_HELD,
                tags,
                () -> watches.stream().filter(watch -> watch.isHeld).count());
    }

    /** Creates meters that nobody reads, for a shadow. */
    public static LedgerMeters unread() {
        return new LedgerMeters(new Metrics().scope(), Tags.empty(), () -> Instant.EPOCH);
    }

    /**
     * Registers the gauges of generations.
     *
     * @param shown the number of the generation that is read here
     * @param known all generations, including those that are over
     */
    public static void register(MeterScope meters, IntSupplier shown, Supplier<Collection<GenerationRecord>> known) {
        meters.gauge(GENERATION, Tags.empty(), shown::getAsInt);
        meters.gauges(
                GENERATIONS,
                () -> known.get().stream()
                        .filter(record -> record.state() != State.OVER)
                        .map(record -> new Line(
                                Tags.of(
                                        "generation",
                                        Integer.toString(record.number()),
                                        "state",
                                        IssueList.word(record.state())),
                                1))
                        .toList());
    }

    void count(End end) {
        ends[end.ordinal()].increment();
    }

    /** Records that an answer was written. @param atMs time of its command */
    void answered(long atMs) {
        latency.record(Math.max(0, clock.millis() - atMs), TimeUnit.MILLISECONDS);
    }

    /** Creates the gauges of a task that starts, which closes them when it stops. */
    TimerWatch watch(int partition) {
        var watch = new TimerWatch(partition);
        watches.add(watch);
        return watch;
    }

    /** The state of the timers of one task at its last check. Written by the task's thread. */
    final class TimerWatch implements AutoCloseable {

        private final int partition;
        private volatile long oldestDueMs = Long.MAX_VALUE;
        private volatile boolean isHeld;
        private volatile boolean isSilent;

        private TimerWatch(int partition) {
            this.partition = partition;
        }

        /** @param dueMs due time of the timer that has been due for longest; {@link Long#MAX_VALUE} if none is due */
        void checked(long dueMs) {
            oldestDueMs = dueMs;
            isHeld = false;
        }

        /** Another generation produces the output before the range begins and after it ends. */
        void rangeChanged(OutputWindow.OffsetRange range) {
            isSilent = !range.isOpen();
        }

        /** Timers are held: none fires, even if it is due. */
        void held() {
            oldestDueMs = Long.MAX_VALUE;
            isHeld = true;
        }

        private double overdueS(long nowMs) {
            return Math.max(0, nowMs - oldestDueMs) / 1e3;
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }
}
