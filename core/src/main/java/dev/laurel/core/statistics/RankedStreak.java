package dev.laurel.core.statistics;

import dev.laurel.core.user.UserState;
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

    public static final Comparator<RankedStreak> BEST_FIRST = Comparator.comparingInt(RankedStreak::length)
            .reversed()
            .thenComparingLong(RankedStreak::extendedAtMs)
            .thenComparing(RankedStreak::user);

    /** The length by which streaks are compared. */
    public enum By {
        /** The present length. */
        ACTIVE,
        /** The greatest length ever reached. Its time is not known. */
        LONGEST
    }

    /** The streak of a state; null: no streak, or the user has switched streaks off. */
    public static @Nullable RankedStreak of(UserState state, By by) {
        RankedStreak streak = switch (by) {
            case ACTIVE ->
                new RankedStreak(state.streak().length(), state.streak().extendedAtMs(), state.id());
            case LONGEST -> new RankedStreak(state.streak().longest(), 0, state.id());
        };
        return streak.length == 0 || !state.preferences().wantsStreak() ? null : streak;
    }

    /** Whether both states have the same streaks in all rankings. */
    public static boolean areSame(UserState a, UserState b) {
        return a.streak().length() == b.streak().length()
                && a.streak().longest() == b.streak().longest()
                && a.streak().extendedAtMs() == b.streak().extendedAtMs()
                && a.preferences().wantsStreak() == b.preferences().wantsStreak();
    }
}
