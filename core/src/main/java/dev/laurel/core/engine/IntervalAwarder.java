package dev.laurel.core.engine;

import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.core.user.PointsState;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.util.List;

/** Awards points by the hour or the day (docs/semantics.md §6 "time"). */
final class IntervalAwarder {

    private final UserTransaction user;
    private final List<IntervalTrigger> triggers;

    IntervalAwarder(UserTransaction user) {
        this.user = user;
        this.triggers = user.rules().intervalTriggers();
    }

    /** When the next interval of any trigger ends, or {@link UserTimers#NEVER}. */
    long nextDueMs() {
        long earliest = UserTransaction.NEVER;
        // By index: most rulesets have none, and this runs with every event.
        for (int i = 0; i < triggers.size(); i++) {
            earliest = Math.min(earliest, dueMs(triggers.get(i)));
        }
        return earliest;
    }

    private long dueMs(IntervalTrigger trigger) {
        PointsState points = user.points().get(trigger.paid().system().number());
        Long passed = points == null ? null : points.counts().get(trigger.paid().trigger().number());
        return startMs(trigger) + ((passed == null ? 0 : passed) + 1) * trigger.intervalMs();
    }

    private long startMs(IntervalTrigger trigger) {
        return Math.max(user.createdMs(), trigger.activatedMs());
    }

    /**
     * Pays every trigger whose interval ends at {@code dueMs}, in ruleset order.
     *
     * @param untilMs until then only intervals change the points
     */
    void fire(long dueMs, long untilMs) {
        var points = new PointsAwarder(user, dueMs);
        for (int i = 0; i < triggers.size(); i++) {
            IntervalTrigger trigger = triggers.get(i);
            if (dueMs(trigger) != dueMs) {
                continue;
            }
            long passed = (dueMs - startMs(trigger)) / trigger.intervalMs();
            if (!points.payInterval(trigger, passed) && isWithoutEffect(trigger)) {
                // Years of such intervals, one by one, would delay a command.
                points.passIntervals(trigger, (untilMs - startMs(trigger)) / trigger.intervalMs());
            }
        }
        points.close();
    }

    /**
     * Whether no interval of the trigger can change the total while only intervals do: the trigger does not apply to the user,
     * or the total is at the trigger's limit and no other trigger moves it away.
     */
    private boolean isWithoutEffect(IntervalTrigger trigger) {
        if (!isForUser(trigger)) {
            return true;
        }
        PointsSystem system = trigger.paid().system();
        long total = PointsState.totalOf(user.points(), system.number());
        boolean isGain = trigger.paid().trigger().points() > 0;
        boolean isAtLimit = isGain ? total >= PointsAwarder.capOf(system) : total == 0;
        return isAtLimit && !isMovedByOther(system, isGain);
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
        return AttributeFilters.match(trigger.paid().trigger().userAttributes(), user.profile().attributes());
    }
}
