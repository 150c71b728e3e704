package dev.laurel.processors.delivery.throttle;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.store.ThrottleStore.Due;
import dev.laurel.processors.store.ThrottleStore.Position;
import dev.laurel.processors.store.ThrottleStore.Subject;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The step that merges frequent events (docs/webhooks.md §3): the first change passes at once, and those within the window after it
 * become one event at its end. Windows follow the instance's clock and are stored; the machine's clock only triggers checks for
 * windows that have ended.
 *
 * <p>A test clock leaps, and what happens within a leap arrives here after it. Windows then follow the times of events, and end when
 * the log has reached their end: the control of the clock asks a question behind everything that happened up to its time
 * (docs/virtual-time.md). One task, one thread.
 */
final class ThrottleProcessor implements Processor<byte[], Outgoing, byte[], Outgoing> {

    static final long WINDOW_MS = Duration.ofMinutes(15).toMillis();
    static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** The limit of one check: after a leap of the clock, everything may be due at once. */
    private static final int MAX_WORK = 1_000;
    private static final int MAX_AT_ONCE = 100;

    private final RulesetVersions rulesets;
    private final NodeReads reads;
    private final InstantSource clock;
    private final boolean isTimeVirtual;

    /** Null before the first start. */
    private @Nullable Throttle throttle;

    ThrottleProcessor(RulesetVersions rulesets, NodeReads reads, InstantSource clock, boolean isTimeVirtual) {
        this.rulesets = rulesets;
        this.reads = reads;
        this.clock = clock;
        this.isTimeVirtual = isTimeVirtual;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        // A revived task is initialised again: nothing may outlive the store.
        var started = new Throttle(context);
        throttle = started;
        context.schedule(CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> started.check());
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        requireNonNull(throttle, "a processor is initialised before its first record").process(record);
    }

    /** The throttle of one life of a task. */
    private final class Throttle {

        private final ProcessorContext<byte[], Outgoing> context;
        private final ThrottleStore store;
        private final EventForwarder forwarder;
        private final PointsThrottle points;
        private final BoardThrottle boards;
        private final ObsoleteGroupFinder obsoleteGroups;

        /**
         * The last due entry that was processed; null: the next check starts with the first one. A check continues where the previous
         * one ended, so that entries that stay due do not delay others.
         */
        private @Nullable Position position;

        /** The virtual time up to which everything has arrived. The test clock is later while it leaps. */
        private long reachedMs = clock.millis();

        Throttle(ProcessorContext<byte[], Outgoing> context) {
            this.context = context;
            this.store = new ThrottleStore(context::getStateStore);
            this.forwarder = new EventForwarder(context, store);
            this.points = new PointsThrottle(store, rulesets, forwarder, isTimeVirtual);
            this.boards = new BoardThrottle(store, rulesets, reads, forwarder);
            this.obsoleteGroups = new ObsoleteGroupFinder(store, rulesets, boards);
        }

        /** The time up to which windows end. */
        private long nowMs() {
            return isTimeVirtual ? reachedMs : clock.millis();
        }

        /** The time of a record for windows: of virtual time its own, unless it is late. */
        private long timeOf(Outgoing outgoing) {
            long nowMs = clock.millis();
            return isTimeVirtual ? Math.max(reachedMs, Math.min(outgoing.at().toEpochMilli(), nowMs)) : nowMs;
        }

        void process(Record<byte[], Outgoing> record) {
            long atMs = timeOf(record.value());
            switch (record.value()) {
                case Outgoing.HookEvent event -> points.accept(record.key(), event,
                        context.recordMetadata().orElseThrow().offset(), atMs);
                case Outgoing.LeaderboardEvent news -> {
                    obsoleteGroups.addTenant(news.tenant());
                    boards.accept(record.key(), news, atMs);
                }
                case Outgoing.UserErased erased -> points.forget(record.key(), erased);
                case Outgoing.Question question -> {
                    reachedMs = atMs;
                    processDue();
                    context.forward(record.withValue(question.and(!store.dueAfter(null, nowMs(), 1).isEmpty())));
                }
                case Outgoing.Message _,Outgoing.HookTest _,Outgoing.HookRetry _ ->
                    throw new IllegalStateException(record.value().id() + " is not for the throttle");
            }
        }

        void check() {
            processDue();
            if (!store.dueAfter(null, nowMs() + PollWakeup.AHEAD_MS, 1).isEmpty()) {
                PollWakeup.ofThisThread().soon();
            }
        }

        private void processDue() {
            long nowMs = nowMs();
            forwarder.cleanUp();
            obsoleteGroups.check(nowMs);
            int work = 0;
            while (true) {
                List<Due> next = store.dueAfter(position, nowMs, MAX_AT_ONCE);
                for (Due due : next) {
                    if (work >= MAX_WORK) {
                        return;
                    }
                    work += onDue(due, nowMs);
                    position = due.position();
                }
                if (next.size() < MAX_AT_ONCE) {
                    position = null;
                    return;
                }
            }
        }

        /** @return the amount of work done */
        private int onDue(Due due, long nowMs) {
            switch (due.subject()) {
                case Subject.Points ended -> points.onDue(due, ended, nowMs);
                case Subject.Group(var group) -> {
                    return boards.onDue(due, group, nowMs);
                }
                case Subject.Held(var held) -> {
                    forwarder.forwardFromClock(held.key(), held.event());
                    store.deleteDue(due);
                }
                case Subject.OldRun(var tenant, int board, int run) -> {
                    store.deleteStartedEmpty(tenant, board, run);
                    store.deleteDue(due);
                }
            }
            return 1;
        }
    }
}
