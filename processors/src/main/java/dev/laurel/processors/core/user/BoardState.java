package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.Score;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The value of one user in one run of a leaderboard (docs/semantics.md §7). The newest run with a value is in the user's
 * state, older runs are in the history while they are not final.
 *
 * @param run as {@link dev.laurel.processors.core.leaderboard.Runs} names it
 * @param changedMs time of the last change of the value: of the command, or of the due moment
 * @param changedOffset where in the log the value, or the group in which it counts, changed last; {@link Score#UNREPORTED} if
 *             the group changed while the leaderboard was inactive and received no scores
 */
public record BoardState(int run, BigDecimal value, long changedMs, long changedOffset) {

    public BoardState movedAt(long offset) {
        return new BoardState(run, value, changedMs, offset);
    }

    /** The value of a state, zero if there is none. */
    public static BigDecimal valueOf(@Nullable BoardState state) {
        return state == null ? BigDecimal.ZERO : state.value();
    }
}
