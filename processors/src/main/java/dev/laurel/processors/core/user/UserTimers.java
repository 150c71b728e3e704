package dev.laurel.processors.core.user;

/**
 * What happens to a user because time goes by (semantics.md §1): periods that end, freezes, points and messages that fall due,
 * own boosts that begin and end. Fired one due moment after the other; what falls due together fires in this order: streak,
 * boosts, points, messages.
 */
final class UserTimers {

    /** No timer. */
    static final long NEVER = Long.MAX_VALUE;

    private UserTimers() {}

    /**
     * When the next timer is due, {@link #NEVER} if none is.
     *
     * @param horizonMs who asks does not care how much later than this it is: then any later moment may be the answer
     */
    static long nextDueMs(UserTurn turn, long horizonMs) {
        long dueMs = Math.min(new StreakBook(turn).nextDueMs(horizonMs), new IntervalBook(turn).nextDueMs());
        return Math.min(Math.min(dueMs, new BoostTimes(turn).nextDueMs(horizonMs)),
                new MessageBook(turn).nextDueMs(horizonMs));
    }

    /** Fires everything that is due by {@code untilMs}; a moment in the past fires nothing. */
    static void fireUntil(UserTurn turn, long untilMs) {
        fireUntil(turn, untilMs, Integer.MAX_VALUE);
    }

    /** The same for at most so many due moments; {@link #nextDueMs} says where it stopped. */
    static void fireUntil(UserTurn turn, long untilMs, int maxMoments) {
        var streak = new StreakBook(turn);
        var boosts = new BoostTimes(turn);
        var intervals = new IntervalBook(turn);
        var messages = new MessageBook(turn);
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
                turn.ranked.noteStreak(dueMs);
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
