package dev.laurel.core.leaderboard;

import dev.laurel.schemas.kind.Records;
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
 * @param changedMs time of the last change of the value; of equal values the earlier one ranks higher
 * @param formerOffset offset in the log of the last change of value or group before this command; -1 if there was none
 */
public record Score(
        LeaderboardRules rules,
        int run,
        boolean isCurrent,
        @Nullable List<String> group,
        @Nullable List<String> formerGroup,
        BigDecimal before,
        BigDecimal value,
        long changedMs,
        long formerOffset,
        Kind kind) {

    /** Whether the user changes from one ranking to another, each of which gets its part: groups do not know of each other. */
    public boolean isInTwoGroups() {
        return kind == Kind.CHANGED && !Objects.equals(group, formerGroup);
    }

    /** The part of the group that the user leaves; null if the user was in none. */
    public @Nullable Score leaving() {
        return formerGroup == null || before.signum() <= 0
                ? null
                : Records.with(this, "group", formerGroup, "value", BigDecimal.ZERO);
    }

    /** The part of the group that the user may enter; null if there is none. */
    public @Nullable Score entering() {
        return group == null || value.signum() <= 0
                ? null
                : Records.with(this, "formerGroup", group, "before", BigDecimal.ZERO);
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
