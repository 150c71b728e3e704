package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.notice.PointsWindow;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.store.ThrottleStores.Due;
import dev.laurel.processors.store.ThrottleStores.Subject;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing.UserErased;
import java.time.Instant;
import java.util.UUID;

/**
 * Lets points.changed pass once in a window for each user and system; what comes within it goes out merged at its end. One
 * task, one thread.
 */
final class PointsThrottle {

    private final ThrottleStores stores;
    private final RulesetVersions rulesets;
    private final Handover handover;

    PointsThrottle(ThrottleStores stores, RulesetVersions rulesets, Handover handover) {
        this.stores = stores;
        this.rulesets = rulesets;
        this.handover = handover;
    }

    /** @param key of the user @param offset of the record: all of a user are in one partition */
    void hear(byte[] key, HookEvent event, long offset, long nowMs) {
        UUID system = UUID.fromString(event.about());
        PointsWindow window = stores.points(system, key);
        if (window != null && offset <= window.heardOffset()) {
            if (offset == window.sentOffset()) {
                handover.pass(key, event);
            }
            return;
        }
        if (window == null || window.merged() == null && window.endMs() <= nowMs) {
            handover.pass(key, event);
            stores.putPoints(system, key, window,
                    new PointsWindow(nowMs + ThrottleStep.WINDOW_MS, offset, offset, null));
            return;
        }
        HookEvent merged = window.merged() == null
                ? event
                : MergedPoints.of(window.merged(), event, rulesets.newest(event.tenant()));
        stores.putPoints(system, key, window, new PointsWindow(window.endMs(), offset, window.sentOffset(), merged));
    }

    /** The user is no more: what was merged is told to nobody. Not of one who came later by the same id. */
    void forget(byte[] key, UserErased erased) {
        for (UUID system : stores.pointsOf(key)) {
            PointsWindow window = stores.points(system, key);
            if (window.merged() != null && !window.merged().at().isAfter(erased.at())) {
                stores.putPoints(system, key, window,
                        new PointsWindow(window.endMs(), window.heardOffset(), window.sentOffset(), null));
            }
        }
    }

    /** A window has ended. It counts from now what goes out now. */
    void lookAt(Due due, Subject.Points ended, long nowMs) {
        PointsWindow window = stores.points(ended.system(), ended.key());
        if (window == null || window.endMs() != due.atMs()) {
            stores.deleteDue(due);
            return;
        }
        HookEvent merged = window.merged();
        if (merged == null) {
            stores.deletePoints(ended.system(), ended.key(), window);
            return;
        }
        handover.keep(ended.key(), new HookEvent(merged.id(), merged.tenant(), Instant.ofEpochMilli(nowMs),
                merged.event(), merged.webhooks(), merged.about(), merged.body()));
        stores.putPoints(ended.system(), ended.key(), window, new PointsWindow(nowMs + ThrottleStep.WINDOW_MS,
                window.heardOffset(), PointsWindow.NO_OFFSET, null));
    }
}
