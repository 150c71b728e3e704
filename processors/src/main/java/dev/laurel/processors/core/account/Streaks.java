package dev.laurel.processors.core.account;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.user.UserState;
import java.util.List;
import java.util.TreeMap;

/** The streaks of a tenant's users: how many have which length, since when, and who are the best. Not thread-safe. */
final class Streaks {

    /** By length: when the streaks of this length were extended last. */
    private final TreeMap<Integer, LongCounts> extensions = new TreeMap<>();
    private final BestStreaks active;
    private final BestStreaks longest;

    /** @param kept of how many of the best it is known who they are */
    Streaks(int kept) {
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
        int length = StreakPlace.lengthOf(after, by);
        return StreakPlace.lengthOf(before, by) == length
                && (length == 0 || StreakPlace.timeOf(before, by) == StreakPlace.timeOf(after, by));
    }

    void add(UserState state) {
        int length = StreakPlace.lengthOf(state, By.ACTIVE);
        if (length != 0) {
            extensions.computeIfAbsent(length, _ -> new LongCounts())
                    .add(StreakPlace.timeOf(state, By.ACTIVE));
        }
        active.add(state);
        longest.add(state);
    }

    /** @param state as it was added */
    void remove(UserState state) {
        int length = StreakPlace.lengthOf(state, By.ACTIVE);
        if (length != 0) {
            LongCounts ofLength = extensions.get(length);
            ofLength.remove(StreakPlace.timeOf(state, By.ACTIVE));
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

    List<StreakPlace> best(By by, int limit) {
        return switch (by) {
            case ACTIVE -> active.best(limit);
            case LONGEST -> longest.best(limit);
        };
    }

    /**
     * How many have a better present streak. Beyond the best ones, ids are not known: of those who have the same length since
     * the same millisecond, none counts as better.
     */
    long better(StreakPlace place) {
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
}
