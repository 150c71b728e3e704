package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.user.UserState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a tenant's best streaks. Not thread-safe. */
final class StreakStatistics {

    private final BestStreaks active;
    private final BestStreaks longest;

    /** @param kept number of the best streaks that are kept with their users */
    StreakStatistics(int kept) {
        this.active = new BestStreaks(By.ACTIVE, kept);
        this.longest = new BestStreaks(By.LONGEST, kept);
    }

    /** Whether the statistics are the same for both states. */
    static boolean isSame(UserState before, UserState after) {
        if (before.streak() == after.streak() && before.preferences() == after.preferences()) {
            return true;
        }
        return isSame(before, after, By.ACTIVE) && isSame(before, after, By.LONGEST);
    }

    private static boolean isSame(UserState before, UserState after, By by) {
        int length = RankedStreak.lengthOf(after, by);
        return RankedStreak.lengthOf(before, by) == length
                && (length == 0 || RankedStreak.timeOf(before, by) == RankedStreak.timeOf(after, by));
    }

    void add(UserState state) {
        active.add(state);
        longest.add(state);
    }

    /** @param state as it was added */
    void remove(UserState state) {
        active.remove(state);
        longest.remove(state);
    }

    boolean isShort() {
        return active.isShort() || longest.isShort();
    }

    @Nullable
    List<RankedStreak> best(By by, int limit) {
        return switch (by) {
            case ACTIVE -> active.best(limit);
            case LONGEST -> longest.best(limit);
        };
    }

    /**
     * A limited number of the best streaks, so that the memory does not grow with the users. The list contains every streak
     * that is better than the best one ever left out. It shrinks when users lose their streaks, since the next ones were left
     * out, and must be rebuilt at some time. Not thread-safe.
     */
    static final class BestStreaks {

        private final By by;
        private final int kept;

        /** In order. An array, since a tree does not know the place of an entry. */
        private final List<RankedStreak> best = new ArrayList<>();

        /** The best streak that was left out, if any. */
        private @Nullable RankedStreak leftOut;

        /** @param kept the maximum number of streaks */
        BestStreaks(By by, int kept) {
            this.by = by;
            this.kept = kept;
        }

        /** Takes one comparison for a user below the list. */
        void add(UserState state) {
            if (isInRange(state)) {
                RankedStreak entry = entryOf(state);
                int index = indexOf(entry);
                if (index < 0) {
                    best.add(-1 - index, entry);
                }
                if (best.size() > kept) {
                    leftOut = best.removeLast();
                }
            }
        }

        /** @param state as it was added */
        void remove(UserState state) {
            if (isInRange(state)) {
                int index = indexOf(entryOf(state));
                if (index >= 0) {
                    best.remove(index);
                }
            }
        }

        /** The index of the streak, or -1 - the index at which it belongs. */
        private int indexOf(RankedStreak streak) {
            return Collections.binarySearch(best, streak, RankedStreak.BEST_FIRST);
        }

        private RankedStreak entryOf(UserState state) {
            return new RankedStreak(RankedStreak.lengthOf(state, by), RankedStreak.timeOf(state, by), state.id());
        }

        private boolean isInRange(UserState state) {
            int length = RankedStreak.lengthOf(state, by);
            return length != 0 && (leftOut == null
                    || RankedStreak.compare(length, RankedStreak.timeOf(state, by), state.id(), leftOut) < 0);
        }

        /** Whether the list has lost so many streaks that it should be rebuilt. */
        boolean isShort() {
            return leftOut != null && best.size() < kept / 2;
        }

        /** The best streaks; null: more streaks exist than are known. */
        @Nullable
        List<RankedStreak> best(int limit) {
            if (leftOut != null && best.size() < limit) {
                return null;
            }
            return List.copyOf(best.subList(0, Math.min(limit, best.size())));
        }
    }
}
