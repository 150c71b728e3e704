package dev.laurel.processors.core.user;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * The chain of met days (semantics.md §5, daily). The newest chain lies in {@link StreakState}; each met day also has an
 * entry of its own with the length at its end, which is what a late event heals and what the history shows.
 */
final class StreakChain {

    /** @param isNewlyMet false if the day was met before: then nothing changes */
    record Met(StreakState streak, List<HistoryWrite> writes, boolean isNewlyMet) {}

    private StreakChain() {}

    /**
     * Marks {@code day} as met.
     *
     * @param today the user's local date at the user's newest time; {@code day} is not after it unless the zone changed
     */
    static Met meet(StreakState streak, int day, int today, long atMs, UserHistory history) {
        boolean isFirst = streak.length() == 0;
        if (isFirst || day > streak.lastDay()) {
            int length = !isFirst && day == streak.lastDay() + 1 ? streak.length() + 1 : 1;
            boolean isLost = day < today - 1;
            var next = new StreakState(day, length, Math.max(atMs, streak.extendedAtMs()), isLost);
            return new Met(next, List.of(put(day, length)), true);
        }
        if (day == streak.lastDay() || history.streakPeriod(day) != null) {
            return new Met(streak, List.of(), false);
        }
        return heal(streak, day, history);
    }

    /** A day before the newest met one: the days behind it, as far as they follow each other, get longer. */
    private static Met heal(StreakState streak, int day, UserHistory history) {
        var writes = new ArrayList<HistoryWrite>();
        StreakPeriod previous = history.streakPeriod(day - 1);
        int length = previous == null ? 1 : previous.length() + 1;
        writes.add(put(day, length));
        for (int next = day + 1; next <= streak.lastDay() && history.streakPeriod(next) != null; next++) {
            length++;
            writes.add(put(next, length));
            if (next == streak.lastDay()) {
                streak = new StreakState(next, length, streak.extendedAtMs(), streak.isLost());
            }
        }
        return new Met(streak, writes, true);
    }

    private static HistoryWrite put(int day, int length) {
        return new HistoryWrite.PutStreakPeriod(day, new StreakPeriod(length));
    }

    /** When the chain breaks if nothing more happens: at the end of the day after its last one. */
    static long lossDueMs(StreakState streak, ZoneId zone) {
        return streak.isAlive() ? LocalDays.startOf(streak.lastDay() + 2, zone) : Long.MAX_VALUE;
    }

    /**
     * The chain after the user's zone has changed: where the day after the last one is not over yet, it is open again
     * (flying west), whatever was judged in the old zone.
     */
    static StreakState reopened(StreakState streak, ZoneId zone, long newestMs) {
        boolean isOpen = streak.isLost() && LocalDays.startOf(streak.lastDay() + 2, zone) > newestMs;
        return isOpen ? new StreakState(streak.lastDay(), streak.length(), streak.extendedAtMs(), false) : streak;
    }

    static StreakState lost(StreakState streak) {
        return new StreakState(streak.lastDay(), streak.length(), streak.extendedAtMs(), true);
    }
}
