package dev.laurel.processors.core.user;

import java.util.UUID;

/**
 * What lies outside {@link UserState} because it grows with time, read only when a command asks for it: a late event, an
 * idempotency key. Belongs to one user.
 */
public interface UserHistory {

    /** The bucket of a day older than the metric's newest; null if nothing happened. */
    DayBucket day(int metric, int day);

    /** The period that starts on this day, null if it was not met. */
    StreakPeriod streakPeriod(int day);

    /** The event that used this idempotency key on this metric, null if none did. */
    UUID eventWith(int metric, String idempotencyKey);
}
