package dev.laurel.processors.core.account;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.util.Comparator;

/**
 * A user's place among streaks (semantics.md §7): the longer one first, then the one that was extended last at the earlier
 * time, then by user id.
 *
 * @param length at least 1
 * @param extendedAtMs 0 where it does not matter
 */
public record StreakPlace(int length, long extendedAtMs, UserId user) {

    public static final Comparator<StreakPlace> BEST_FIRST = (a, b) -> compare(a.length, a.extendedAtMs, a.user, b);

    /** What streaks are compared by. */
    public enum By {
        /** The present length. */
        ACTIVE,
        /** The greatest length ever reached; who reached it first is not known. */
        LONGEST
    }

    /** The user's place in a state of now; null without a streak. While the user has switched streaks off there is none. */
    public static StreakPlace of(UserState state, By by) {
        int length = lengthOf(state, by);
        return length == 0 ? null : new StreakPlace(length, timeOf(state, by), state.id());
    }

    /** 0 if there is no place. */
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

    /** Negative if the first one is better; to compare a place that need not be made. */
    static int compare(int length, long extendedAtMs, UserId user, StreakPlace other) {
        if (length != other.length) {
            return Integer.compare(other.length, length);
        }
        int byTime = Long.compare(extendedAtMs, other.extendedAtMs);
        return byTime != 0 ? byTime : user.value().compareTo(other.user.value());
    }
}
