package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.util.List;
import java.util.UUID;

/**
 * What lies outside {@link UserState} because it grows with time, read only when a command asks for it: a late event, an
 * idempotency key, a switched frequency. Belongs to one user.
 */
public interface UserHistory {

    /** A day's bucket. */
    record Day(int day, DayBucket bucket) {}

    /** The bucket of a day older than the newest; null if nothing happened. @param number of a metric or points system */
    DayBucket day(int number, int day);

    /** The buckets of the days from {@code first} to {@code last} that are older than the newest, in order. */
    List<Day> days(int number, int first, int last);

    /** Null if there is none. @param block number of the block */
    StreakBlock streakBlock(StreakFrequency frequency, int block);

    /** A full page of the ledger; null if there is none. */
    List<Award> ledgerPage(int system, int page);

    /** What the user came to in a run older than the one in the state; null if nothing. @param board its number */
    BoardState boardRun(int board, int run);

    /** The event that used this idempotency key on this metric, null if none did. */
    UUID eventWith(int metric, String idempotencyKey);

    /** The rules of an older version; null if there is no such version. */
    CompiledRuleset rules(long version);
}
