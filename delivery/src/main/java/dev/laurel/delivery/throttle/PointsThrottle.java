package dev.laurel.delivery.throttle;

import dev.laurel.delivery.store.ThrottleStore.Due;
import dev.laurel.delivery.store.ThrottleStore.PointsWindow;
import dev.laurel.delivery.store.ThrottleStore.Subject;
import dev.laurel.delivery.store.ThrottleStore;
import dev.laurel.delivery.throttle.Throttle.Deliveries;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.UserErased;
import java.time.Instant;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Sends one points.changed per window for each user and system, and merges those that follow within the window into one event
 * at its end. One task, one thread.
 */
final class PointsThrottle {

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final Deliveries deliveries;
    private final boolean isTimeVirtual;

    PointsThrottle(ThrottleStore store, RulesetVersions rulesets, Deliveries deliveries, boolean isTimeVirtual) {
        this.store = store;
        this.rulesets = rulesets;
        this.deliveries = deliveries;
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
                deliveries.add(key, event);
            }
            return;
        }
        if (isTimeVirtual && window != null && window.merged() != null && window.endMs() <= nowMs) {
            window = end(system, key, window, window.merged(), nowMs);
        }
        if (window == null || window.merged() == null && window.endMs() <= nowMs) {
            deliveries.add(key, event);
            store.putPoints(system, key, window,
                    new PointsWindow(nowMs + Throttle.WINDOW_MS, offset, offset, false, null));
            return;
        }
        HookEvent merged = window.merged() == null
                ? event
                : MergedPoints.of(window.merged(), event, rulesets.newest(event.tenant()));
        store.putPoints(system, key, window,
                new PointsWindow(window.endMs(), offset, window.sentOffset(), false, merged));
    }

    /** Drops merged events of an erased user, but not those of a later user of the same id. */
    void forget(byte[] key, UserErased erased) {
        for (UUID system : store.pointsOf(key)) {
            PointsWindow window = store.points(system, key);
            if (window != null && window.merged() != null && !window.merged().at().isAfter(erased.at())) {
                store.putPoints(system, key, window,
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
            dated = new HookEvent(merged.id(), merged.tenant(), Instant.ofEpochMilli(nowMs), merged.event(),
                    merged.webhooks(), merged.about(), merged.body());
            store.putPoints(system, key, window,
                    new PointsWindow(window.endMs(), window.newestOffset(), window.sentOffset(), true, dated));
        }
        deliveries.add(key, dated);
        long startMs = isTimeVirtual ? window.endMs() : nowMs;
        var next = new PointsWindow(startMs + Throttle.WINDOW_MS, window.newestOffset(), PointsWindow.NO_OFFSET, false,
                null);
        store.putPoints(system, key, window, next);
        return next;
    }
}
