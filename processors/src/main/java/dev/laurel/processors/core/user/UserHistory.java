package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of one user's state that grows with time and is therefore stored outside {@link UserState}. Read only by commands
 * that need it: a late event, an idempotency key, a changed frequency.
 */
public interface UserHistory {

    /** A day's bucket. */
    record Day(int day, DayBucket bucket) {}

    /** The bucket of a day older than the newest, null if nothing happened. @param number of a metric or points system */
    @Nullable
    DayBucket day(int number, int day);

    /** The buckets of the days from {@code first} to {@code last} that are older than the newest, in order. */
    List<Day> days(int number, int first, int last);

    /** A block of streak periods, null if there is none. @param block its number */
    @Nullable
    StreakBlock streakBlock(StreakFrequency frequency, int block);

    /** A full page of the ledger; empty if there is none. */
    List<Award> ledgerPage(int system, int page);

    /** The user's value in a run older than the one in the state, null if there is none. @param board its number */
    @Nullable
    BoardState boardRun(int board, int run);

    /** The event that used this idempotency key on this metric, null if none did. */
    @Nullable
    UUID eventWith(int metric, String idempotencyKey);

    /** The rules of an older version; null if there is no such version. */
    @Nullable
    CompiledRuleset rules(long version);

    /** A change to the history, decided by the core and written by the caller. */
    sealed interface HistoryWrite {

        /** @param number of a metric or a points system */
        record PutDay(int number, int day, DayBucket bucket) implements HistoryWrite {}

        record PutStreakBlock(StreakFrequency frequency, StreakBlock block) implements HistoryWrite {}

        /** A full page of a points ledger: {@link PointsState#PAGE} awards that follow each other, oldest first. */
        record PutLedgerPage(int system, int page, List<Award> awards) implements HistoryWrite {}

        /** An older run of a leaderboard that may still change. @param board its number */
        record PutBoardRun(int board, BoardState state) implements HistoryWrite {}

        record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
    }
}
