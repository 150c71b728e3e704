package dev.laurel.processors.core.statistics;

import static java.util.Objects.requireNonNull;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.user.UserState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts the streaks of a tenant's users by length and time of the last extension, and keeps the best. Not thread-safe. */
final class StreakStatistics {

    /** By length: the times at which the streaks of this length were extended last. */
    private final TreeMap<Integer, LongCounts> extensions = new TreeMap<>();
    private final BestStreaks active;
    private final BestStreaks longest;

    /** @param kept how many of the best are kept with their users */
    StreakStatistics(int kept) {
        this.active = new BestStreaks(By.ACTIVE, kept);
        this.longest = new BestStreaks(By.LONGEST, kept);
    }

    /** Whether nothing that is kept here has changed. */
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
        int length = RankedStreak.lengthOf(state, By.ACTIVE);
        if (length != 0) {
            extensions.computeIfAbsent(length, _ -> new LongCounts())
                    .add(RankedStreak.timeOf(state, By.ACTIVE));
        }
        active.add(state);
        longest.add(state);
    }

    /** @param state as it was added */
    void remove(UserState state) {
        int length = RankedStreak.lengthOf(state, By.ACTIVE);
        if (length != 0) {
            LongCounts ofLength = requireNonNull(extensions.get(length), "the user was added");
            ofLength.remove(RankedStreak.timeOf(state, By.ACTIVE));
            if (ofLength.sum() == 0) {
                extensions.remove(length);
            }
        }
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
     * How many users have a better present streak. Beyond the best ones, ids are not known: users with the same length and
     * the same millisecond of the last extension count as equal.
     */
    long better(RankedStreak place) {
        int known = active.better(place);
        if (active.covers(place)) {
            return known;
        }
        long longer = 0;
        for (LongCounts ofLength : extensions.tailMap(place.length(), false).values()) {
            longer += ofLength.sum();
        }
        LongCounts same = extensions.get(place.length());
        long earlier = same == null ? 0 : same.below(place.extendedAtMs());
        return Math.max(known, longer + earlier);
    }

    /**
     * The best streaks, limited in number so that the memory does not grow with the users. Every streak better than the best
     * one ever left out is here, which bounds how far the list is reliable. The list shrinks when its users lose their
     * streaks, since those who would follow were left out, and then has to be rebuilt. Not thread-safe.
     */
    static final class BestStreaks {

        private final By by;
        private final int kept;
        private final TreeSet<RankedStreak> best = new TreeSet<>(RankedStreak.BEST_FIRST);

        /** The best streak that was left out, null if none was. */
        private @Nullable RankedStreak leftOut;

        /** @param kept how many at most */
        BestStreaks(By by, int kept) {
            this.by = by;
            this.kept = kept;
        }

        /** A user below all of the list costs one comparison. */
        void add(UserState state) {
            if (isAmongThem(state)) {
                best.add(entryOf(state));
                if (best.size() > kept) {
                    leftOut = best.pollLast();
                }
            }
        }

        /** @param state as it was added */
        void remove(UserState state) {
            if (isAmongThem(state)) {
                best.remove(entryOf(state));
            }
        }

        private RankedStreak entryOf(UserState state) {
            return new RankedStreak(RankedStreak.lengthOf(state, by), RankedStreak.timeOf(state, by), state.id());
        }

        private boolean isAmongThem(UserState state) {
            int length = RankedStreak.lengthOf(state, by);
            return length != 0 && (leftOut == null
                    || RankedStreak.compare(length, RankedStreak.timeOf(state, by), state.id(), leftOut) < 0);
        }

        /** Whether the list has lost so many streaks that it should be rebuilt. */
        boolean isShort() {
            return leftOut != null && best.size() < kept / 2;
        }

        /** The best streaks; null if fewer are known and more exist. */
        @Nullable
        List<RankedStreak> best(int limit) {
            if (leftOut != null && best.size() < limit) {
                return null;
            }
            var found = new ArrayList<RankedStreak>(Math.min(limit, best.size()));
            for (RankedStreak place : best) {
                if (found.size() == limit) {
                    break;
                }
                found.add(place);
            }
            return found;
        }

        /** How many streaks are better; a lower bound if the given one is below the list. */
        int better(RankedStreak place) {
            return best.headSet(place, false).size();
        }

        /** Whether {@link #better} is all of them. */
        boolean covers(RankedStreak place) {
            return leftOut == null || RankedStreak.BEST_FIRST.compare(place, leftOut) <= 0;
        }
    }
}
