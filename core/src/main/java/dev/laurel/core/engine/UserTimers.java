package dev.laurel.core.engine;

/**
 * Fires a user's timers as time passes (docs/semantics.md §1): ends of periods, freezes, points, messages, starts and ends of
 * the user's own boosts, anniversaries. Due moments fire in order; those of the same time in the order streak, boosts,
 * anniversaries, points, messages.
 */
final class UserTimers {

    private UserTimers() {}

    /**
     * When the next timer is due, or {@link UserTransaction#NEVER}.
     *
     * @param horizonMs beyond this time the result need not be exact: it may be any later moment
     */
    static long nextDueMs(UserTransaction user, long horizonMs) {
        long dueMs = Math.min(new StreakTracker(user).nextDueMs(horizonMs), new IntervalAwarder(user).nextDueMs());
        dueMs = Math.min(dueMs, new AnniversaryTimers(user).nextDueMs(horizonMs));
        return Math.min(Math.min(dueMs, new UserBoostTimers(user).nextDueMs(horizonMs)),
                new MessageScheduler(user).nextDueMs(horizonMs));
    }

    /** Fires all timers that are due by {@code untilMs}. */
    static void fireUntil(UserTransaction user, long untilMs) {
        fireUntil(user, untilMs, Integer.MAX_VALUE);
    }

    /** Fires at most {@code maxMoments} due moments. {@link #nextDueMs} returns the one after. */
    static void fireUntil(UserTransaction user, long untilMs, int maxMoments) {
        var streak = new StreakTracker(user);
        var boosts = new UserBoostTimers(user);
        var anniversaries = new AnniversaryTimers(user);
        var intervals = new IntervalAwarder(user);
        var messages = new MessageScheduler(user);
        for (int fired = 0; fired < maxMoments; fired++) {
            long streakDueMs = streak.nextDueMs(untilMs);
            long boostDueMs = boosts.nextDueMs(untilMs);
            long anniversaryDueMs = anniversaries.nextDueMs(untilMs);
            long pointsDueMs = intervals.nextDueMs();
            long messagesDueMs = messages.nextDueMs(untilMs);
            long dueMs = Math.min(Math.min(streakDueMs, boostDueMs),
                    Math.min(anniversaryDueMs, Math.min(pointsDueMs, messagesDueMs)));
            if (dueMs > untilMs) {
                return;
            }
            if (streakDueMs == dueMs) {
                fire(streak, dueMs, untilMs, user);
            } else if (boostDueMs == dueMs) {
                boosts.fire(dueMs);
            } else if (anniversaryDueMs == dueMs) {
                anniversaries.fire(dueMs);
            } else if (pointsDueMs == dueMs) {
                // An achievement may pay or take points, too.
                intervals.fire(dueMs, Math.min(untilMs, anniversaryDueMs - 1));
            } else {
                messages.fire(dueMs);
            }
        }
    }

    /**
     * Fires the timers that a change of the zone has made due at the user's newest time, which are none of before. Intervals of points
     * do not depend on the zone, and {@link MessageScheduler#close} decides about messages at the end of the command.
     */
    static void fireMoved(UserTransaction user) {
        long atMs = user.newestMs();
        var streak = new StreakTracker(user);
        var boosts = new UserBoostTimers(user);
        var anniversaries = new AnniversaryTimers(user);
        while (true) {
            if (streak.nextDueMs(atMs) <= atMs) {
                fire(streak, atMs, atMs, user);
            } else if (boosts.nextDueMs(atMs) <= atMs) {
                boosts.fire(atMs);
            } else if (anniversaries.nextDueMs(atMs) <= atMs) {
                anniversaries.fire(atMs);
            } else {
                return;
            }
        }
    }

    private static void fire(StreakTracker streak, long dueMs, long untilMs, UserTransaction user) {
        streak.fire(dueMs, untilMs);
        new MessageScheduler(user).onJudgement();
        new LeaderboardScorer(user).updateStreak(dueMs);
    }
}
