package dev.laurel.processors.core.user;

import dev.laurel.schemas.key.UserId;

/**
 * Everything that an event needs to know of its user, in one immutable value: one read and one write per event. Objects of
 * the ruleset are named by their numbers. Times are epoch milliseconds.
 *
 * @param control in the control group, decided at creation
 * @param createdMs time of the first command
 * @param updatedMs time of the last command that changed a property
 * @param newestMs time of the newest command; older ones are late
 * @param sequence commands applied so far; orders the user's scores
 * @param completions when each achievement was completed, by its number
 * @param wakeUpMs when the timers store has this user, 0 if it has not
 */
public record UserState(UserId id, Profile profile, boolean control, long createdMs, long updatedMs, long newestMs,
        long sequence, Numbered<MetricState> metrics, Numbered<PointsState> points, Numbered<Long> completions,
        StreakState streak, long wakeUpMs) {

    static UserState created(UserId id, boolean control, long atMs) {
        return new UserState(id, Profile.BLANK, control, atMs, atMs, atMs, 0, Numbered.empty(), Numbered.empty(),
                Numbered.empty(), StreakState.NONE, 0);
    }

    UserState withMetrics(Numbered<MetricState> changed) {
        return new UserState(id, profile, control, createdMs, updatedMs, newestMs, sequence, changed, points,
                completions, streak, wakeUpMs);
    }

    UserState withPoints(Numbered<PointsState> changed) {
        return new UserState(id, profile, control, createdMs, updatedMs, newestMs, sequence, metrics, changed,
                completions, streak, wakeUpMs);
    }

    UserState withCompletions(Numbered<Long> changed) {
        return new UserState(id, profile, control, createdMs, updatedMs, newestMs, sequence, metrics, points, changed,
                streak, wakeUpMs);
    }

    UserState withStreak(StreakState changed) {
        return new UserState(id, profile, control, createdMs, updatedMs, newestMs, sequence, metrics, points,
                completions, changed, wakeUpMs);
    }

    UserState withWakeUp(long dueMs) {
        return new UserState(id, profile, control, createdMs, updatedMs, newestMs, sequence, metrics, points,
                completions, streak, dueMs);
    }
}
