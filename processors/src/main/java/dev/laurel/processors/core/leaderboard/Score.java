package dev.laurel.processors.core.leaderboard;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The absolute value of a user on a leaderboard after a command, computed by the ledger. Only the leaderboard knows whether
 * the user is a participant, and at which rank.
 *
 * @param run the run to which it belongs
 * @param isCurrent whether that is the run of the user's newest local date; in others groups no longer move
 * @param group null if the user is in none
 * @param formerGroup before this command, null if none
 * @param before the value before this command
 * @param changedMs time of the last change of the value: at equal values the earlier one ranks higher
 * @param formerOffset offset in the log of the last change of value or group before this command, -1 if never,
 *            {@link #UNREPORTED} if it was not reported to the leaderboard
 */
public record Score(BoardRules rules, int run, boolean isCurrent, @Nullable List<String> group,
        @Nullable List<String> formerGroup,
        BigDecimal before, BigDecimal value, long changedMs, long formerOffset, Kind kind) {

    /** The offset of a change that was not reported to the leaderboard. */
    public static final long UNREPORTED = Long.MAX_VALUE;

    /** The kind of change. The order is durable data. */
    public enum Kind {
        /** The value or the group has changed: the user may enter. */
        CHANGED,
        /** Only the user's name has changed. It is shown if the user takes part. */
        RENAMED,
        /** Nothing has changed. Sent for a caller that waits for an answer. */
        SAME
    }
}
