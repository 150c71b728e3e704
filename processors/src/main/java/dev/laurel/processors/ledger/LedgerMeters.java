package dev.laurel.processors.ledger;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the tasks of the ledger count. A record costs one increment, and one for which somebody waits a duration besides, 0.1 µs
 * together; nothing is allocated. Thread-safe.
 */
public final class LedgerMeters {

    private static final MeterName COMMANDS = MeterName.of("laurel.ledger.commands",
            "Records of the log that were processed, by outcome.");
    private static final MeterName LATENCY = MeterName.ofSeconds("laurel.ledger.answer.latency",
            "Time from a command for which a client waits until the ledger has written its answer.");
    private static final MeterName TIMERS_OVERDUE = MeterName.ofSeconds("laurel.ledger.timers.overdue",
            "How long the oldest due timer of a partition has been due; 0 if none is due, or while timers are held.");
    private static final MeterName TIMERS_HELD = MeterName.of("laurel.ledger.timers.held",
            "Partitions of this process whose timers are held, as during an import.");
    private static final MeterName SILENT = MeterName.of("laurel.ledger.partitions.silent",
            "Partitions of this process for which the generation publishes nothing, as before and after a promotion.");
    private static final MeterName GENERATIONS = MeterName.of("laurel.generations",
            "1 for each generation that is not over, by its state; of several that are in force the highest counts.");
    private static final MeterName GENERATION = MeterName.of("laurel.ledger.generation",
            "Number of the generation that this process serves.");

    private static final Duration[] BUCKETS = Stream
            .of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
            .map(Duration::ofMillis).toArray(Duration[]::new);

    /** What may come of a record of the log. */
    enum End {
        /** A metric event that counts. */
        EVENT,
        /** Any other command of a user that was done. */
        CHANGE,
        /** It had been done before, by its idempotency key. */
        REPEATED,
        /** The client that waits was told why not. */
        REFUSED,
        /** It cannot be used, and nobody waits: it is in {@code laurel.rejections}. */
        REJECTED,
        /** The log's own: rulesets, ticks, holds. */
        MARKER
    }

    private final InstantSource clock;
    private final Map<End, LongAdder> ends = new EnumMap<>(End.class);
    private final Set<TimerWatch> watches = ConcurrentHashMap.newKeySet();
    private final Timer latency;

    /**
     * @param tags of all of them
     * @param clock that commands are stamped by
     */
    public LedgerMeters(MeterScope meters, Tags tags, InstantSource clock) {
        this.clock = clock;
        for (End end : End.values()) {
            var count = new LongAdder();
            ends.put(end, count);
            meters.counter(COMMANDS, tags.and("outcome", end.name().toLowerCase(Locale.ROOT)), count::sum);
        }
        this.latency = meters.timer(LATENCY, tags, BUCKETS);
        meters.gauges(TIMERS_OVERDUE, () -> {
            long nowMs = clock.millis();
            return watches.stream().map(watch -> new Line(
                    tags.and("partition", Integer.toString(watch.partition)), watch.overdueS(nowMs))).toList();
        });
        meters.gauge(SILENT, tags, () -> watches.stream().filter(watch -> watch.isSilent).count());
        meters.gauge(TIMERS_HELD, tags, () -> watches.stream().filter(watch -> watch.isHeld).count());
    }

    /** For a fold that nobody watches. */
    public static LedgerMeters unread() {
        return new LedgerMeters(new Metrics().scope(), Tags.empty(), () -> Instant.EPOCH);
    }

    /**
     * Shows the generations.
     *
     * @param shown the number of the one that is in force here
     * @param known all that there are or were
     */
    public static void register(MeterScope meters, IntSupplier shown, Supplier<Collection<GenerationRecord>> known) {
        meters.gauge(GENERATION, Tags.empty(), shown::getAsInt);
        meters.gauges(GENERATIONS, () -> known.get().stream().filter(record -> record.state() != State.OVER)
                .map(record -> new Line(Tags.of("generation", Integer.toString(record.number()), "state",
                        record.state().name().toLowerCase(Locale.ROOT)), 1))
                .toList());
    }

    void count(End end) {
        ends.get(end).increment();
    }

    /** An answer was written. @param atMs time of its command */
    void answered(long atMs) {
        latency.record(Math.max(0, clock.millis() - atMs), TimeUnit.MILLISECONDS);
    }

    /** For a task that starts; it closes this when it stops. */
    TimerWatch watch(int partition) {
        var watch = new TimerWatch(partition);
        watches.add(watch);
        return watch;
    }

    /** The timers of one task, as it last looked at them. Written by its thread. */
    final class TimerWatch implements AutoCloseable {

        private final int partition;
        private volatile long oldestDueMs = Long.MAX_VALUE;
        private volatile boolean isHeld;
        private volatile boolean isSilent;

        private TimerWatch(int partition) {
            this.partition = partition;
        }

        /** @param dueMs of the timer that has been due for longest, {@link Long#MAX_VALUE} if none is */
        void checked(long dueMs) {
            oldestDueMs = dueMs;
            isHeld = false;
        }

        /** Of this stretch the task tells; of one that has not begun, or has ended, another one does. */
        void rangeChanged(OutputWindow.OffsetRange range) {
            isSilent = !range.isOpen();
        }

        /** No timer fires, whatever is due. */
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
