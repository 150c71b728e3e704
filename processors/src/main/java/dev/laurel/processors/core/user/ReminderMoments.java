package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import java.time.ZoneId;

/**
 * When a user is reminded of a streak, period by period (webhooks.md §3 "Messages").
 *
 * @param streakZone in which the periods of the streak begin and end
 * @param messageZone by which messages go out: another one only for users without a zone
 */
record ReminderMoments(StreakReminder reminder, Periods periods, ZoneId streakZone, ZoneId messageZone) {

    private static final long MS_PER_HOUR = 3_600_000;

    /**
     * The moment in this period.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long in(int period, long horizonMs) {
        long atLeastMs = periods.firstDay(period) * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
        if (atLeastMs > horizonMs) {
            return atLeastMs;
        }
        if (streakZone.equals(messageZone)) {
            return momentOf(period);
        }
        // Eight in the evening may be the next day already where the streak's days are counted.
        long startMs = LocalDays.startOf(periods.firstDay(period), streakZone);
        long endMs = LocalDays.startOf(periods.firstDay(period + 1), streakZone);
        for (int near = period - 1; near <= period + 1; near++) {
            long moment = momentOf(near);
            if (moment >= startMs && moment < endMs) {
                return moment;
            }
        }
        return UserTimers.NEVER;
    }

    /** Of the calendar period as it is in the zone of messages. */
    private long momentOf(int period) {
        int first = periods.firstDay(period);
        return switch (periods.frequency()) {
            case DAILY -> Math.max(LocalDays.startOf(first, messageZone),
                    LocalDays.startOf(first + 1, messageZone) - reminder.dailyHoursBefore() * MS_PER_HOUR);
            case WEEKLY -> LocalDays.momentOf(
                    first + Math.floorMod(reminder.weeklyDay().getValue() - periods.weekStart().getValue(), 7),
                    reminder.weeklyTime(), messageZone);
            case MONTHLY -> LocalDays.momentOf(Math.min(first + reminder.monthlyDay() - 1, periods.lastDay(period)),
                    reminder.monthlyTime(), messageZone);
        };
    }
}
