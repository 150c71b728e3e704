package dev.laurel.processors.core.user;

import java.util.List;
import java.util.UUID;

/** A change to what lies outside {@link UserState}; decided by the core, written by the stream. */
public sealed interface HistoryWrite {

    record PutDay(int metric, int day, DayBucket bucket) implements HistoryWrite {}

    record PutStreakPeriod(int day, StreakPeriod period) implements HistoryWrite {}

    /** A full page of a points ledger: {@link PointsState#PAGE} awards that follow each other, oldest first. */
    record PutLedgerPage(int system, int page, List<Award> awards) implements HistoryWrite {}

    record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
}
