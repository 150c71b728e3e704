package dev.laurel.core.user;

import dev.laurel.schemas.kind.Records;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of one user in one run of a leaderboard (docs/semantics.md §7). The state of the user has the newest run with a
 * value, the history has older runs until they are final.
 *
 * @param run as {@link dev.laurel.core.leaderboard.Runs} names it
 * @param changedMs time of the command or timer that last changed the value
 * @param group of the last score, without values on a leaderboard without groups and teams; null if the user was in none
 */
public record LeaderboardState(
        int run, BigDecimal value, long changedMs, @Nullable List<String> group) {

    public LeaderboardState {
        group = group == null ? null : List.copyOf(group);
    }

    /** A value on a leaderboard without groups. */
    public LeaderboardState(int run, BigDecimal value, long changedMs) {
        this(run, value, changedMs, List.of());
    }

    /** The same value in another group. */
    public LeaderboardState inGroup(@Nullable List<String> next) {
        return Records.with(this, "group", next);
    }

    /** The value, or zero if there is no state. */
    public static BigDecimal valueOf(@Nullable LeaderboardState state) {
        return state == null ? BigDecimal.ZERO : state.value();
    }
}
