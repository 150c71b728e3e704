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

    PointsThrottle(ThrottleStore store, RulesetVersions rulesets, EventForwarder forwarder) {
        this.store = store;
        this.rulesets = rulesets;
        this.forwarder = forwarder;
    }

    /** @param key of the user @param offset of the record; all records of a user are in one partition */
    void accept(byte[] key, HookEvent event, long offset, long nowMs) {
        UUID system = UUID.fromString(requireNonNull(event.about(), "points.changed names its system"));
        PointsWindow window = store.points(system, key);
        if (window != null && offset <= window.newestOffset()) {
            if (offset == window.sentOffset()) {
                forwarder.forward(key, event);
            }
            return;
        }
        if (window == null || window.merged() == null && window.endMs() <= nowMs) {
            forwarder.forward(key, event);
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

    /** Ends a window. If an event is forwarded, the next window begins now. */
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
        forwarder.forwardFromClock(ended.key(), new HookEvent(merged.id(), merged.tenant(), Instant.ofEpochMilli(nowMs),
                merged.event(), merged.webhooks(), merged.about(), merged.body()));
        store.putPoints(ended.system(), ended.key(), window, new PointsWindow(nowMs + ThrottleProcessor.WINDOW_MS,
                window.newestOffset(), PointsWindow.NO_OFFSET, null));
    }
}
