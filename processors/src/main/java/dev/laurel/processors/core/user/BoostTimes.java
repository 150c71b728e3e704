package dev.laurel.processors.core.user;

import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.time.Instant;
import java.util.List;

/**
 * When boosts of the user's own begin and end, which is told once each (webhooks.md §3 "User boosts"): at 00:00 of the first day
 * and at the end of the last one, where the user is then; later only if the boost comes later.
 */
final class BoostTimes {

    /** No day. */
    private static final int NONE = Integer.MAX_VALUE;

    private final UserTurn turn;

    BoostTimes(UserTurn turn) {
        this.turn = turn;
    }

    /** When there is something to tell next, {@link UserTimers#NEVER} if never. @param horizonMs see {@link UserTimers#nextDueMs} */
    long nextDueMs(long horizonMs) {
        int day = nextDay();
        return day == NONE ? UserTimers.NEVER : turn.startOf(day, horizonMs);
    }

    /** The first local day after the one told last on which one begins or which follows on the end of one. */
    private int nextDay() {
        List<UserBoost> boosts = turn.boosts;
        int next = NONE;
        // By index: most users have none, and this is asked for with every event.
        for (int i = 0; i < boosts.size(); i++) {
            next = Math.min(next, later(boosts.get(i).start()));
            next = Math.min(next, later(dayAfter(boosts.get(i))));
        }
        return next;
    }

    private int later(int day) {
        return day > turn.boostsToldTo ? day : NONE;
    }

    private static int dayAfter(UserBoost boost) {
        return boost.end() == UserBoost.OPEN ? NONE : boost.end() + 1;
    }

    /** Tells what the next day brings. @param dueMs when it begins */
    void fire(long dueMs) {
        int day = nextDay();
        turn.boostsToldTo = day;
        for (UserBoost boost : turn.boosts) {
            if (dayAfter(boost) == day) {
                tellFinished(boost, dueMs);
            }
        }
        for (UserBoost boost : turn.boosts) {
            if (boost.start() == day) {
                tellStarted(boost, dueMs);
            }
        }
    }

    /** Boosts are about to change: what is past by now is told of those that there are. */
    void tellToday(long atMs) {
        int today = turn.dayOf(turn.newestMs);
        while (nextDay() <= today) {
            fire(atMs);
        }
        turn.boostsToldTo = Math.max(turn.boostsToldTo, today);
    }

    /**
     * A boost has come, or has other days: what is past of them already is told at once. {@link #tellToday} went before.
     *
     * @param before null if it is new
     */
    void change(UserBoost before, UserBoost after, long atMs) {
        int told = turn.boostsToldTo;
        if (after.start() <= told && (before == null || before.start() > told)) {
            tellStarted(after, atMs);
        }
        if (after.end() < told && (before == null || before.end() >= told)) {
            tellFinished(after, atMs);
        }
    }

    private void tellStarted(UserBoost boost, long atMs) {
        PointsSystem system = turn.rules.pointsSystem(boost.system());
        if (system != null) {
            turn.emit(new Effect.BoostStarted(turn.key.user(), Instant.ofEpochMilli(atMs), system.id(), system.key(),
                    boost.id(), boost.firstDate(), boost.lastDate()));
            turn.hooks.boostStarted(system, boost, atMs);
        }
    }

    private void tellFinished(UserBoost boost, long atMs) {
        PointsSystem system = turn.rules.pointsSystem(boost.system());
        if (system != null) {
            turn.emit(new Effect.BoostFinished(turn.key.user(), Instant.ofEpochMilli(atMs), system.id(), system.key(),
                    boost.id(), boost.firstDate(), boost.lastDate()));
            turn.hooks.boostFinished(system, boost, atMs);
        }
    }
}
