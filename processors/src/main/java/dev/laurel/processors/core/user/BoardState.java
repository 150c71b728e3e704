package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.Score;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The value of one user in one run of a leaderboard (docs/semantics.md §7). The state of the user has the newest run with a
 * value, the history has older runs until they are final.
 *
 * @param run as {@link dev.laurel.processors.core.leaderboard.Runs} names it
 * @param changedMs time of the command or timer that last changed the value
 * @param changedOffset offset of the command that last changed the value or the group; {@link Score#UNREPORTED} if the group
 *             changed while the leaderboard was inactive and received no scores
 */
public record BoardState(int run, BigDecimal value, long changedMs, long changedOffset) {

    public BoardState movedAt(long offset) {
        return new BoardState(run, value, changedMs, offset);
    }

    /** The value, or zero if there is no state. */
    public static BigDecimal valueOf(@Nullable BoardState state) {
        return state == null ? BigDecimal.ZERO : state.value();
    }
}
