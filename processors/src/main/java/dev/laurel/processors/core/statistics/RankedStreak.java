package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A user's streak in the ranking of streaks (docs/semantics.md §7), which is by length, then by the earlier time of the last
 * extension, then by user id.
 *
 * @param length at least 1
 * @param extendedAtMs time of the last extension; 0 in a ranking of the longest streaks
 */
public record RankedStreak(int length, long extendedAtMs, UserId user) {

    public static final Comparator<RankedStreak> BEST_FIRST = (a, b) -> compare(a.length, a.extendedAtMs, a.user, b);

    /** The length by which streaks are compared. */
    public enum By {
        /** The present length. */
        ACTIVE,
        /** The greatest length ever reached. Its time is not known. */
        LONGEST
    }

    /** The streak of a state; null: no streak, or the user has switched streaks off. */
    public static @Nullable RankedStreak of(UserState state, By by) {
        int length = lengthOf(state, by);
        return length == 0 ? null : new RankedStreak(length, timeOf(state, by), state.id());
    }

    /** 0: no streak, or the user has switched streaks off. */
    static int lengthOf(UserState state, By by) {
        if (!state.preferences().wantsStreak()) {
            return 0;
        }
        return switch (by) {
            case ACTIVE -> state.streak().length();
            case LONGEST -> state.streak().longest();
        };
    }

    static long timeOf(UserState state, By by) {
        return switch (by) {
            case ACTIVE -> state.streak().extendedAtMs();
            case LONGEST -> 0;
        };
    }

    /** Negative if the first streak is better. Creates no object. */
    static int compare(int length, long extendedAtMs, UserId user, RankedStreak other) {
        if (length != other.length) {
            return Integer.compare(other.length, length);
        }
        int byTime = Long.compare(extendedAtMs, other.extendedAtMs);
        return byTime != 0 ? byTime : user.compareTo(other.user);
    }
}
