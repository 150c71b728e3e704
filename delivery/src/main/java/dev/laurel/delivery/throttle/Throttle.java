package dev.laurel.delivery.throttle;

import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.throttle.ThrottleStore.Due;
import dev.laurel.delivery.throttle.ThrottleStore.PointsWindow;
import dev.laurel.delivery.throttle.ThrottleStore.Subject;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.outbox.Outgoing.UserErased;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Merges frequent events (docs/webhooks.md §3): the first change passes at once, and those within the window after it become one event
 * at its end. Windows follow the instance's clock and are stored; the machine's clock only triggers checks for windows that have ended.
 *
 * <p>A test clock leaps, and what happens within a leap arrives here after it. Windows then follow the times of events, and end when
 * the log has reached their end: the control of the clock asks a question behind everything that happened up to its time
 * (docs/virtual-time.md). One life of a task, one thread.
 */
public final class Throttle {

    public static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** The limit of one check: after a leap of the clock, everything may be due at once. */
    private static final int MAX_WORK = 1_000;

    private static final int MAX_AT_ONCE = 100;

    private final Environment environment;
    private final ThrottleStore store;
    private final PointsThrottle points;
    private final LeaderboardThrottle boards;

    /**
     * The key of the last due entry that was processed; null: the next check starts with the first one. A check continues where the
     * previous one ended, so that entries that stay due do not delay others.
     */
    private @Nullable Bytes last;

    /** The virtual time up to which everything has arrived. The test clock is later while it leaps. */
    private long reachedMs;

    /**
     * The parts that the throttles of a process share.
     *
     * @param clock of the instance, which windows follow
     * @param isTimeVirtual whether the clock is a test clock: windows then end when the log has reached their end
     */
    public record Environment(RulesetVersions rulesets, NodeReads reads, InstantSource clock, boolean isTimeVirtual) {}

    /** @param store of deliveries */
    public Throttle(Environment environment, KeyValueStore<Bytes, byte[]> store, Deliveries deliveries) {
        this.environment = environment;
        this.store = new ThrottleStore(store);
        this.points = new PointsThrottle(this.store, environment.rulesets(), deliveries, environment.isTimeVirtual());
        this.boards = new LeaderboardThrottle(this.store, environment.rulesets(), environment.reads(), deliveries);
        this.reachedMs = environment.clock().millis();
    }

    /** The time up to which windows end. */
    private long nowMs() {
        return environment.isTimeVirtual() ? reachedMs : environment.clock().millis();
    }

    /** The time of a record for windows: of virtual time its own, unless it is late. */
    private long timeOf(Outgoing outgoing) {
        long nowMs = environment.clock().millis();
        return environment.isTimeVirtual()
                ? Math.max(reachedMs, Math.min(outgoing.at().toEpochMilli(), nowMs))
                : nowMs;
    }

    /** Takes a points.changed. @param key of the user @param offset of the record */
    public void accept(byte[] key, HookEvent event, long offset) {
        points.accept(key, event, offset, timeOf(event));
    }

    public void accept(byte[] key, LeaderboardEvent news) {
        boards.accept(key, news, timeOf(news));
    }

    /** Drops what waits of an erased user. @param key of the user */
    public void forget(byte[] key, UserErased erased) {
        points.forget(key, erased);
    }

    /** Ends the windows up to the time of a question. @return whether something is due that could not be sent */
    public boolean reach(Outgoing.Question question) {
        reachedMs = timeOf(question);
        processDue();
        return !store.dueAfter(null, nowMs(), 1).isEmpty();
    }

    /** Ends windows. Called every {@link #CHECK_INTERVAL} of the machine's clock. */
    public void check() {
        processDue();
        if (!store.dueAfter(null, nowMs() + AdaptivePollWait.AHEAD_MS, 1).isEmpty()) {
            AdaptivePollWait.ofThisThread().soon();
        }
    }

    /** Writes what is only in memory. Called before each commit. */
    public void write() {
        store.write();
    }

    private void processDue() {
        long nowMs = nowMs();
        store.write();
        int work = 0;
        while (true) {
            List<Due> next = store.dueAfter(last, nowMs, MAX_AT_ONCE);
            for (Due due : next) {
                if (work >= MAX_WORK) {
                    store.write();
                    return;
                }
                work += onDue(due, nowMs);
                last = due.key();
            }
            if (next.size() < MAX_AT_ONCE) {
                last = null;
                store.write();
                return;
            }
        }
    }

    /** @return the amount of work done */
    private int onDue(Due due, long nowMs) {
        return switch (due.subject()) {
            case Subject.Points ended -> {
                points.onDue(due, ended, nowMs);
                yield 1;
            }
            case Subject.Group(var group) -> boards.onDue(due, group, nowMs);
        };
    }

    /**
     * Sends one points.changed per window for each user and system, and merges those that follow within the window into one event
     * at its end. One task, one thread.
     */
    private record PointsThrottle(
            ThrottleStore store, RulesetVersions rulesets, Deliveries deliveries, boolean isTimeVirtual) {

        /**
         * @param key of the user
         * @param offset of the record; all records of a user are in one partition
         * @param nowMs the time of the record for windows
         */
        void accept(byte[] key, HookEvent event, long offset, long nowMs) {
            UUID system = UUID.fromString(requireNonNull(event.about(), "points.changed names its system"));
            PointsWindow window = store.points(system, key);
            if (window != null && offset <= window.newestOffset()) {
                if (offset == window.sentOffset()) {
                    deliveries.add(key, event);
                }
                return;
            }
            if (isTimeVirtual && window != null && window.merged() != null && window.endMs() <= nowMs) {
                window = end(system, key, window, window.merged(), nowMs);
            }
            if (window == null || window.merged() == null && window.endMs() <= nowMs) {
                deliveries.add(key, event);
                store.putPoints(
                        system,
                        key,
                        window,
                        new PointsWindow(nowMs + LeaderboardThrottle.WINDOW_MS, offset, offset, false, null));
                return;
            }
            HookEvent merged = window.merged() == null
                    ? event
                    : MergedPoints.of(window.merged(), event, rulesets.newest(event.tenant()));
            store.putPoints(
                    system, key, window, new PointsWindow(window.endMs(), offset, window.sentOffset(), false, merged));
        }

        /** Drops merged events of an erased user, but not those of a later user of the same id. */
        void forget(byte[] key, UserErased erased) {
            for (UUID system : store.pointsOf(key)) {
                PointsWindow window = store.points(system, key);
                if (window != null
                        && window.merged() != null
                        && !window.merged().at().isAfter(erased.at())) {
                    store.putPoints(
                            system,
                            key,
                            window,
                            new PointsWindow(window.endMs(), window.newestOffset(), window.sentOffset(), false, null));
                }
            }
        }

        /** Ends a window that is due. */
        void onDue(Due due, Subject.Points ended, long nowMs) {
            PointsWindow window = store.points(ended.system(), ended.key());
            if (window == null || window.endMs() != due.atMs()) {
                store.deleteDue(due);
                return;
            }
            HookEvent merged = window.merged();
            if (merged == null) {
                store.deletePoints(ended.system(), ended.key(), window);
                return;
            }
            end(ended.system(), ended.key(), window, merged, nowMs);
        }

        /**
         * Sends the merged event of a window, dated at the present, so that a leap of the test clock does not make it stale. The event is
         * stored with that time first, so that it has the same id after a crash. The next window begins now, as two events must not come
         * closer; with a test clock it begins at the end of this one, as it would without the leap.
         */
        private PointsWindow end(UUID system, byte[] key, PointsWindow window, HookEvent merged, long nowMs) {
            HookEvent dated = merged;
            if (!window.isDated()) {
                dated = Records.with(merged, "at", Instant.ofEpochMilli(nowMs));
                store.putPoints(system, key, window, Records.with(window, "isDated", true, "merged", dated));
            }
            deliveries.add(key, dated);
            long startMs = isTimeVirtual ? window.endMs() : nowMs;
            var next = new PointsWindow(
                    startMs + LeaderboardThrottle.WINDOW_MS,
                    window.newestOffset(),
                    PointsWindow.NO_OFFSET,
                    false,
                    null);
            store.putPoints(system, key, window, next);
            return next;
        }
    }
}
