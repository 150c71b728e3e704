package dev.laurel.processors.core.engine;

/**
 * Fires what happens to a user as time passes (docs/semantics.md §1): periods end, freezes, points and messages fall due, the
 * user's own boosts begin and end. One due moment fires after the other; of those that fall due together the order is:
 * streak, boosts, points, messages.
 */
final class UserTimers {

    /** No timer. */
    static final long NEVER = Long.MAX_VALUE;

    private UserTimers() {}

    /**
     * When the next timer is due, {@link #NEVER} if none is.
     *
     * @param horizonMs beyond this time the result need not be exact: any later moment may be returned
     */
    static long nextDueMs(UserTransaction user, long horizonMs) {
        long dueMs = Math.min(new StreakTracker(user).nextDueMs(horizonMs), new IntervalAwarder(user).nextDueMs());
        return Math.min(Math.min(dueMs, new UserBoostTimers(user).nextDueMs(horizonMs)),
                new MessageScheduler(user).nextDueMs(horizonMs));
    }

    /** Fires everything that is due by {@code untilMs}; a moment in the past fires nothing. */
    static void fireUntil(UserTransaction user, long untilMs) {
        fireUntil(user, untilMs, Integer.MAX_VALUE);
    }

    /** The same for at most {@code maxMoments} due moments; {@link #nextDueMs} says where it stopped. */
    static void fireUntil(UserTransaction user, long untilMs, int maxMoments) {
        var streak = new StreakTracker(user);
        var boosts = new UserBoostTimers(user);
        var intervals = new IntervalAwarder(user);
        var messages = new MessageScheduler(user);
        for (int fired = 0; fired < maxMoments; fired++) {
            long streakDueMs = streak.nextDueMs(untilMs);
            long boostDueMs = boosts.nextDueMs(untilMs);
            long pointsDueMs = intervals.nextDueMs();
            long messagesDueMs = messages.nextDueMs(untilMs);
            long dueMs = Math.min(Math.min(streakDueMs, boostDueMs), Math.min(pointsDueMs, messagesDueMs));
            if (dueMs > untilMs) {
                return;
            }
            if (streakDueMs == dueMs) {
                streak.fire(dueMs, untilMs);
                messages.onJudgement();
                user.leaderboards().updateStreak(dueMs);
            } else if (boostDueMs == dueMs) {
                boosts.fire(dueMs);
            } else if (pointsDueMs == dueMs) {
                intervals.fire(dueMs, untilMs);
            } else {
                messages.fire(dueMs);
            }
        }
    }
}
