package dev.laurel.processors.core.user;

import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.List;
import java.util.UUID;

/** A change to what lies outside {@link UserState}; decided by the core, written by the stream. */
public sealed interface HistoryWrite {

    /** @param number of a metric or a points system */
    record PutDay(int number, int day, DayBucket bucket) implements HistoryWrite {}

    record PutStreakBlock(StreakFrequency frequency, StreakBlock block) implements HistoryWrite {}

    /** A full page of a points ledger: {@link PointsState#PAGE} awards that follow each other, oldest first. */
    record PutLedgerPage(int system, int page, List<Award> awards) implements HistoryWrite {}

    /** An older run of a leaderboard that may still change. @param board its number */
    record PutBoardRun(int board, BoardState state) implements HistoryWrite {}

    record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
}
