package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The absolute value of a user on a leaderboard after a command, computed by the ledger. The leaderboard decides whether the
 * user takes part, and at which rank.
 *
 * @param isCurrent whether this is the run of the user's newest local date; in other runs the group no longer changes
 * @param group null: the user is in no group
 * @param formerGroup the group that was scored last before this command
 * @param before the value before this command
 * @param beforeMs time of the last change of the value before this command; 0 if there was none
 * @param changedMs time of the last change of the value; of equal values the earlier one ranks higher
 */
public record Score(
        LeaderboardRules rules,
        int run,
        boolean isCurrent,
        @Nullable List<String> group,
        @Nullable List<String> formerGroup,
        BigDecimal before,
        long beforeMs,
        BigDecimal value,
        long changedMs,
        Kind kind) {

    /** The standing in the former group before this command; null: there was none. */
    public @Nullable Standing formerStanding(UserId user) {
        return formerGroup == null || before.signum() <= 0 ? null : new Standing(user, null, before, beforeMs);
    }

    /** The standing in the group after this command; null: there is none. */
    public @Nullable Standing standing(UserId user, @Nullable String name, Visibility visibility) {
        return group == null || value.signum() <= 0 ? null : new Standing(user, name, visibility, value, changedMs);
    }

    /** Whether the user changes from one ranking to another, each of which gets its part: groups do not know of each other. */
    public boolean isInTwoGroups() {
        return !Objects.equals(group, formerGroup);
    }

    /** The kind of change. The order is durable data. */
    public enum Kind {
        /** The value or the group has changed: the user may enter. */
        CHANGED,
        /** Only the user's name has changed, which the leaderboard shows if the user takes part. */
        RENAMED,
        /** Nothing has changed. Sent because a client waits for its rank. */
        SAME
    }
}
