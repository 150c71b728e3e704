package dev.laurel.processors.core.user;

import java.util.UUID;

/** A change to what lies outside {@link UserState}; decided by the core, written by the stream. */
public sealed interface HistoryWrite {

    record PutDay(int metric, int day, DayBucket bucket) implements HistoryWrite {}

    record PutStreakPeriod(int day, StreakPeriod period) implements HistoryWrite {}

    record AppendAward(Award award) implements HistoryWrite {}

    record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
}
