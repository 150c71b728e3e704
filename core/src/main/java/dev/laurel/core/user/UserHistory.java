package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    LeaderboardState boardRun(int board, int run);

    /** The user's value in a run that may still change; null: no value. @param user the state beside this history */
    default @Nullable LeaderboardState boardRun(UserState user, int board, int run) {
        LeaderboardState newest = user.boards().get(board);
        return newest == null || newest.run() == run ? newest : newest.run() < run ? null : boardRun(board, run);
    }

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
        record PutBoardRun(int board, LeaderboardState state) implements HistoryWrite {}

        record UseIdempotencyKey(int metric, String key, UUID eventId) implements HistoryWrite {}
    }

    /**
     * A user's history together with the uncommitted changes of one transaction. Reads see the changes. Most transactions change
     * nothing, but one that catches up on years changes thousands of entries, each of which is found by its key.
     */
    final class HistoryOverlay implements UserHistory {

        private final UserHistory stored;

        /** The changes by entry, in the order of the first change of each. A second write of the same entry replaces the first. */
        private final Map<Object, HistoryWrite> writes = new LinkedHashMap<>();

        private record EntryKey(Class<? extends HistoryWrite> type, int owner, int index) {}

        public HistoryOverlay(UserHistory stored) {
            this.stored = stored;
        }

        /** @param changes already made on top of {@code stored} */
        public HistoryOverlay(UserHistory stored, List<HistoryWrite> changes) {
            this.stored = stored;
            changes.forEach(this::put);
        }

        public List<HistoryWrite> writes() {
            return List.copyOf(writes.values());
        }

        public void put(HistoryWrite write) {
            writes.put(
                    switch (write) {
                        case HistoryWrite.PutDay(int number, int day, var _) ->
                            new EntryKey(write.getClass(), number, day);
                        case HistoryWrite.PutActiveDays(int block, long _) -> new EntryKey(write.getClass(), 0, block);
                        case HistoryWrite.PutStreakBlock(var frequency, var block) ->
                            new EntryKey(write.getClass(), frequency.ordinal(), block.number());
                        case HistoryWrite.PutLedgerPage(int system, int page, var _) ->
                            new EntryKey(write.getClass(), system, page);
                        case HistoryWrite.PutBoardRun(int board, var state) ->
                            new EntryKey(write.getClass(), board, state.run());
                        case HistoryWrite.UseIdempotencyKey _ -> write; // a transaction uses one at most
                    },
                    write);
        }

        private <W extends HistoryWrite> @Nullable W written(Class<W> type, int owner, int index) {
            return writes.isEmpty() ? null : type.cast(writes.get(new EntryKey(type, owner, index)));
        }

        @Override
        public @Nullable DayBucket day(int number, int day) {
            var put = written(HistoryWrite.PutDay.class, number, day);
            return put != null ? put.bucket() : stored.day(number, day);
        }

        @Override
        public List<Day> days(int number, int first, int last) {
            List<Day> old = stored.days(number, first, last);
            TreeMap<Integer, Day> merged = null;
            for (HistoryWrite write : writes.values()) {
                if (write instanceof HistoryWrite.PutDay(int n, int d, DayBucket bucket)
                        && n == number
                        && d >= first
                        && d <= last) {
                    if (merged == null) {
                        merged = new TreeMap<>();
                        for (Day day : old) {
                            merged.put(day.day(), day);
                        }
                    }
                    merged.put(d, new Day(d, bucket));
                }
            }
            return merged == null ? old : List.copyOf(merged.values());
        }

        @Override
        public long activeDays(int block) {
            var put = written(HistoryWrite.PutActiveDays.class, 0, block);
            return put != null ? put.bits() : stored.activeDays(block);
        }

        @Override
        public @Nullable StreakBlock streakBlock(StreakFrequency frequency, int block) {
            var put = written(HistoryWrite.PutStreakBlock.class, frequency.ordinal(), block);
            return put != null ? put.block() : stored.streakBlock(frequency, block);
        }

        @Override
        public List<Award> ledgerPage(int system, int page) {
            var put = written(HistoryWrite.PutLedgerPage.class, system, page);
            return put != null ? put.awards() : stored.ledgerPage(system, page);
        }

        @Override
        public @Nullable LeaderboardState boardRun(int board, int run) {
            var put = written(HistoryWrite.PutBoardRun.class, board, run);
            return put != null ? put.state() : stored.boardRun(board, run);
        }

        @Override
        public @Nullable UUID eventWith(int metric, String idempotencyKey) {
            return stored.eventWith(metric, idempotencyKey);
        }

        @Override
        public CompiledRuleset rules(long version) {
            return stored.rules(version);
        }
    }
}
