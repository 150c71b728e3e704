package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.IntervalTrigger;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.util.List;

/** Points that are paid by the hour or the day (semantics.md §6 "time"). */
final class IntervalBook {

    private final UserTurn turn;
    private final List<IntervalTrigger> triggers;

    IntervalBook(UserTurn turn) {
        this.turn = turn;
        this.triggers = turn.rules.intervalTriggers();
    }

    /** When the next interval of any trigger ends, {@link UserTimers#NEVER} if there is none. */
    long nextDueMs() {
        long earliest = UserTimers.NEVER;
        // By index: most rulesets have none, and this is asked for with every event.
        for (int i = 0; i < triggers.size(); i++) {
            earliest = Math.min(earliest, dueMs(triggers.get(i)));
        }
        return earliest;
    }

    private long dueMs(IntervalTrigger trigger) {
        PointsState points = turn.points.get(trigger.paid().system().number());
        Long passed = points == null ? null : points.counts().get(trigger.paid().trigger().number());
        return startMs(trigger) + ((passed == null ? 0 : passed) + 1) * trigger.intervalMs();
    }

    private long startMs(IntervalTrigger trigger) {
        return Math.max(turn.createdMs, trigger.activatedMs());
    }

    /**
     * Pays every trigger whose interval ends at {@code dueMs}, in ruleset order.
     *
     * @param untilMs how far time goes now: nothing but timers happens until then
     */
    void fire(long dueMs, long untilMs) {
        var book = new PointsBook(turn, dueMs);
        for (int i = 0; i < triggers.size(); i++) {
            IntervalTrigger trigger = triggers.get(i);
            if (dueMs(trigger) != dueMs) {
                continue;
            }
            long passed = (dueMs - startMs(trigger)) / trigger.intervalMs();
            if (!book.payInterval(trigger, passed) && isSpent(trigger)) {
                // Years at the cap, interval by interval, would make a command wait for nothing.
                book.passIntervals(trigger, (untilMs - startMs(trigger)) / trigger.intervalMs());
            }
        }
        book.close();
    }

    /**
     * Whether no interval of the trigger can pay or deduct anything as long as only timers fire: the user is not one it is
     * for, or the total is where the trigger cannot move it and no other interval moves it away.
     */
    private boolean isSpent(IntervalTrigger trigger) {
        if (!isForUser(trigger)) {
            return true;
        }
        PointsSystem system = trigger.paid().system();
        PointsState points = turn.points.get(system.number());
        boolean isGain = trigger.paid().trigger().points() > 0;
        boolean isAtEnd = isGain ? points.total() >= PointsBook.capOf(system) : points.total() == 0;
        return isAtEnd && !isMovedByOther(system, isGain);
    }

    private boolean isMovedByOther(PointsSystem system, boolean isGain) {
        for (IntervalTrigger other : triggers) {
            if (other.paid().system() == system && other.paid().trigger().points() > 0 != isGain
                    && isForUser(other)) {
                return true;
            }
        }
        return false;
    }

    private boolean isForUser(IntervalTrigger trigger) {
        return AttributeFilters.match(trigger.paid().trigger().userAttributes(), turn.profile.attributes());
    }
}
