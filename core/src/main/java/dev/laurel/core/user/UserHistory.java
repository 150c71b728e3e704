package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of one user's state that grows with time and is therefore stored outside {@link UserState}. Few commands read it:
 * late events, events with an idempotency key, changes of the streak frequency.
 */
public interface UserHistory {

    record Day(int day, DayBucket bucket) {}

    /** The bucket of a day before the newest one; null: no changes. @param number of a metric or points system */
    @Nullable
    DayBucket day(int number, int day);

    /** The buckets of the days from {@code first} to {@code last} that are before the newest one, ascending. */
    List<Day> days(int number, int first, int last);

    /** A block of {@link ActiveDays} before the newest one; 0 if it has no active day. @param block its number */
    long activeDays(int block);

    /** A block of streak periods. @param block its number */
    @Nullable
    StreakBlock streakBlock(StreakFrequency frequency, int block);

    /** A full page of the ledger; empty if there is none. */
    List<Award> ledgerPage(int system, int page);

    /** The user's value in a run before the one in the state; null: no value. @param board its number */
    @Nullable
    BoardState boardRun(int board, int run);

    /** The event that used this idempotency key on this metric; null: the key is unused. */
    @Nullable
    UUID eventWith(int metric, String idempotencyKey);

    /** The rules of an older version, which was published. */
    CompiledRuleset rules(long version);

    /** A change to the history. The core decides it, the caller writes it. */
    sealed interface HistoryWrite {

        /** @param number of a metric or a points system */
        record PutDay(int number, int day, DayBucket bucket) implements HistoryWrite {}

        /** A block of {@link ActiveDays}. @param block its number */
        record PutActiveDays(int block, long bits) implements HistoryWrite {}

        record PutStreakBlock(StreakFrequency frequency, StreakBlock block) implements HistoryWrite {}

        /** A full page of a points ledger: {@link PointsState#PAGE} consecutive awards, oldest first. */
        record PutLedgerPage(int system, int page, List<Award> awards) implements HistoryWrite {}

        /** An older run of a leaderboard that may still change. @param board its number */
        record PutBoardRun(int board, BoardState state) implements HistoryWrite {}

        record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
    }
}
