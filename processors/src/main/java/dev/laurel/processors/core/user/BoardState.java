package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.Score;
import java.math.BigDecimal;

/**
 * What one user has come to in one run of a leaderboard (semantics.md §7). That of the newest run with a value lies in the
 * user's state, those of older runs lie in the history while they are not final.
 *
 * @param run as {@link dev.laurel.processors.core.leaderboard.Runs} names it
 * @param changedMs time of the last change of the value: of the command, or of the due moment
 * @param changedOffset where in the log the value, or the group in which it counts, changed last; {@link Score#UNHEARD} if the
 *            group changed while the leaderboard was inactive and told of nothing
 */
public record BoardState(int run, BigDecimal value, long changedMs, long changedOffset) {

    BoardState movedAt(long offset) {
        return new BoardState(run, value, changedMs, offset);
    }

    /** Zero where there is none. */
    static BigDecimal valueOf(BoardState state) {
        return state == null ? BigDecimal.ZERO : state.value();
    }
}
