package dev.laurel.processors.core.leaderboard;

import java.math.BigDecimal;
import java.util.List;

/**
 * What a user has come to on a leaderboard, as the ledger knows it after a command: an absolute value. Whether the user is
 * among the participants, and at which rank, only the leaderboard knows.
 *
 * @param run to which it belongs
 * @param isCurrent whether that is the run of the user's newest local date; in others groups no longer move
 * @param group null if the user is in none
 * @param formerGroup before this command, null if none
 * @param before the value before this command
 * @param changedMs time of the last change of the value: at equal values the earlier one ranks higher
 * @param formerOffset where in the log the value or the group had last changed before this command, -1 if never,
 *            {@link #UNHEARD} if the leaderboard was not told of it
 */
public record Score(BoardRules rules, int run, boolean isCurrent, List<String> group, List<String> formerGroup,
        BigDecimal before, BigDecimal value, long changedMs, long formerOffset, Kind kind) {

    /** A place in the log of which no leaderboard has heard. */
    public static final long UNHEARD = Long.MAX_VALUE;

    /** What happened to it. The order is durable data. */
    public enum Kind {
        /** Value or group have changed: the user may enter. */
        CHANGED,
        /** Only the user's name has: shown if the user takes part. */
        RENAMED,
        /** Nothing has; of interest to who waits for an answer. */
        SAME
    }
}
