package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.IntervalTrigger;

/** Points that are paid by the hour or the day (semantics.md §6 "time"). */
final class IntervalBook {

    private final UserTurn turn;

    IntervalBook(UserTurn turn) {
        this.turn = turn;
    }

    /** When the next interval of any trigger ends, {@link UserTimers#NEVER} if there is none. */
    long nextDueMs() {
        long earliest = UserTimers.NEVER;
        for (IntervalTrigger trigger : turn.rules.intervalTriggers()) {
            earliest = Math.min(earliest, dueMs(trigger));
        }
        return earliest;
    }

    private long dueMs(IntervalTrigger trigger) {
        PointsState points = turn.points.get(trigger.paid().system().number());
        Long passed = points == null ? null : points.counts().get(trigger.paid().trigger().number());
        long startMs = Math.max(turn.createdMs, trigger.activatedMs());
        return startMs + ((passed == null ? 0 : passed) + 1) * trigger.intervalMs();
    }

    /** Pays every trigger whose interval ends at {@code dueMs}, in ruleset order. */
    void fire(long dueMs) {
        var book = new PointsBook(turn, dueMs);
        for (IntervalTrigger trigger : turn.rules.intervalTriggers()) {
            if (dueMs(trigger) == dueMs) {
                book.payInterval(trigger);
            }
        }
        book.close();
    }
}
