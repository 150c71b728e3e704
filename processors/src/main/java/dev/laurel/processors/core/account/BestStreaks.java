package dev.laurel.processors.core.account;

import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.user.UserState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The best places among streaks, so many at most that the memory does not grow with the users. Whatever is better
 * than the best place that was ever left out is here: so it is known how far the list can be believed. It shrinks when those
 * on it lose their streaks, since who would move up has been left out, and then has to be made anew. Not thread-safe.
 */
final class BestStreaks {

    private final By by;
    private final int kept;
    private final TreeSet<StreakPlace> best = new TreeSet<>(StreakPlace.BEST_FIRST);

    /** The best one; null if nobody was. */
    private StreakPlace leftOut;

    /** @param kept how many at most */
    BestStreaks(By by, int kept) {
        this.by = by;
        this.kept = kept;
    }

    /** A user below all of the list costs one comparison. */
    void add(UserState state) {
        if (isAmongThem(state)) {
            best.add(StreakPlace.of(state, by));
            if (best.size() > kept) {
                leftOut = best.pollLast();
            }
        }
    }

    /** @param state as it was added */
    void remove(UserState state) {
        if (isAmongThem(state)) {
            best.remove(StreakPlace.of(state, by));
        }
    }

    private boolean isAmongThem(UserState state) {
        int length = StreakPlace.lengthOf(state, by);
        return length != 0 && (leftOut == null
                || StreakPlace.compare(length, StreakPlace.timeOf(state, by), state.id(), leftOut) < 0);
    }

    /** Whether so much was lost that the list should be made anew. */
    boolean isShort() {
        return leftOut != null && best.size() < kept / 2;
    }

    /** The best places there are; null if fewer are known than that, and more exist. */
    List<StreakPlace> best(int limit) {
        if (leftOut != null && best.size() < limit) {
            return null;
        }
        var found = new ArrayList<StreakPlace>(Math.min(limit, best.size()));
        for (StreakPlace place : best) {
            if (found.size() == limit) {
                break;
            }
            found.add(place);
        }
        return found;
    }

    /** How many are better; at least that if the place is below the list. */
    int better(StreakPlace place) {
        return best.headSet(place, false).size();
    }

    /** Whether {@link #better} is all of them. */
    boolean covers(StreakPlace place) {
        return leftOut == null || StreakPlace.BEST_FIRST.compare(place, leftOut) <= 0;
    }
}
