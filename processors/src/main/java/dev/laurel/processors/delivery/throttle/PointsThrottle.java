package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.store.ThrottleStore.Due;
import dev.laurel.processors.store.ThrottleStore.PointsWindow;
import dev.laurel.processors.store.ThrottleStore.Subject;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.UserErased;
import java.time.Instant;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Forwards one points.changed per window for each user and system, and merges those that follow within the window into one event
 * at its end. One task, one thread.
 */
final class PointsThrottle {

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final EventForwarder forwarder;
    private final boolean isTimeVirtual;

    PointsThrottle(ThrottleStore store, RulesetVersions rulesets, EventForwarder forwarder, boolean isTimeVirtual) {
        this.store = store;
        this.rulesets = rulesets;
        this.forwarder = forwarder;
        this.isTimeVirtual = isTimeVirtual;
    }

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
                forwarder.forward(key, event);
            }
            return;
        }
        if (isTimeVirtual && window != null && window.merged() != null && window.endMs() <= nowMs) {
            window = end(system, key, window, window.merged(), nowMs);
        }
        if (window == null || window.merged() == null && window.endMs() <= nowMs) {
            if (isTimeVirtual) {
                // The next window may begin before the record is certain not to be read again.
                forwarder.forwardFromClock(key, event);
            } else {
                forwarder.forward(key, event);
            }
            store.putPoints(system, key, window,
                    new PointsWindow(nowMs + ThrottleProcessor.WINDOW_MS, offset, offset, null));
            return;
        }
        HookEvent merged = window.merged() == null
                ? event
                : MergedPoints.of(window.merged(), event, rulesets.newest(event.tenant()));
        store.putPoints(system, key, window, new PointsWindow(window.endMs(), offset, window.sentOffset(), merged));
    }

    /** Drops merged events of an erased user, but not those of a later user of the same id. */
    void forget(byte[] key, UserErased erased) {
        for (UUID system : store.pointsOf(key)) {
            PointsWindow window = store.points(system, key);
            if (window != null && window.merged() != null && !window.merged().at().isAfter(erased.at())) {
                store.putPoints(system, key, window,
                        new PointsWindow(window.endMs(), window.newestOffset(), window.sentOffset(), null));
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
     * Forwards the merged event of a window, dated at the present, so that a leap of the test clock does not make it stale. The next
     * window begins now, as two events must not come closer; with a test clock it begins at the end of this one, as it would without
     * the leap.
     */
    private PointsWindow end(UUID system, byte[] key, PointsWindow window, HookEvent merged, long nowMs) {
        forwarder.forwardFromClock(key, new HookEvent(merged.id(), merged.tenant(), Instant.ofEpochMilli(nowMs),
                merged.event(), merged.webhooks(), merged.about(), merged.body()));
        long startMs = isTimeVirtual ? window.endMs() : nowMs;
        var next = new PointsWindow(startMs + ThrottleProcessor.WINDOW_MS, window.newestOffset(),
                PointsWindow.NO_OFFSET, null);
        store.putPoints(system, key, window, next);
        return next;
    }
}
