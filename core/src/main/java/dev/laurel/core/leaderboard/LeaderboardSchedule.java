package dev.laurel.core.leaderboard;

import dev.laurel.schemas.ruleset.Leaderboard;
import java.time.Duration;

/**
 * Computes the moments of a UTC day at which leaderboards change by time (docs/semantics.md §7): 00:00, when a day of the rank
 * histories ends; 10:00, when the next date and its runs begin in UTC+14; 12:00, when the previous date has ended in UTC-12
 * and its runs become final. Pure; times are epoch milliseconds.
 */
public final class LeaderboardSchedule {

    /** The time of a clock that was never set, earlier than any moment. */
    public static final long NEVER_SET = Long.MIN_VALUE;

    private static final long RUNS_BEGIN_MS = Duration.ofHours(10).toMillis();
    private static final long RUNS_ARE_FINAL_MS = Duration.ofHours(12).toMillis();

    private LeaderboardSchedule() {}

    /** The first moment after this time; {@link #NEVER_SET}, which is due at once, for a clock that is not set. */
    public static long after(long clockMs) {
        if (clockMs == NEVER_SET) {
            return NEVER_SET;
        }
        long midnightMs = Math.floorDiv(clockMs, DayClose.DAY_MS) * DayClose.DAY_MS;
        long timeMs = clockMs - midnightMs;
        if (timeMs < RUNS_BEGIN_MS) {
            return midnightMs + RUNS_BEGIN_MS;
        }
        return midnightMs + (timeMs < RUNS_ARE_FINAL_MS ? RUNS_ARE_FINAL_MS : DayClose.DAY_MS);
    }

    /**
     * Until when time can change this leaderboard: while it takes scores, now or later, and is not final; {@link Long#MAX_VALUE}:
     * always, {@link #NEVER_SET}: never. For a leaderboard that was finished by hand, the last day must still end. An inactive one
     * catches up when it is activated.
     */
    public static long changesUntil(Leaderboard board) {
        return switch (board.status()) {
            case SCHEDULED, ACTIVE ->
                board.end() == null
                        ? Long.MAX_VALUE
                        : Leaderboard.ending(board.end()).toEpochMilli();
            case INACTIVE -> NEVER_SET;
            case FINISHED ->
                board.finished() == null
                        ? NEVER_SET
                        : midnightAfter(board.finished().toEpochMilli());
        };
    }

    private static long midnightAfter(long atMs) {
        return (Math.floorDiv(atMs, DayClose.DAY_MS) + 1) * DayClose.DAY_MS;
    }
}
