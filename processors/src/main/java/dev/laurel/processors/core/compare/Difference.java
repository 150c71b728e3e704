package dev.laurel.processors.core.compare;

import dev.laurel.processors.core.compare.UserFacts.Place;
import dev.laurel.processors.core.compare.UserFacts.Streak;
import java.math.BigDecimal;

/**
 * One thing of a user that is not the same on both sides. {@code before} is the state as it is, {@code after} what the log came to
 * when it was read again. Objects are named by their keys: those of the rules behind {@code after}, or of the others where those
 * rules do not have the object.
 */
public sealed interface Difference {

    /** Metrics are sums of the log that no rule changes but by taking the metric away: else one of the two is wrong. */
    record MetricDiffers(String metric, BigDecimal before, BigDecimal after) implements Difference {}

    /**
     * @param levelBefore key of the level held, null if none, as is {@code levelAfter}
     * @param levels how many levels up, negative: down; 0 where the levels have only other names or thresholds
     */
    record PointsDiffer(String system, long before, long after, String levelBefore, String levelAfter,
            int levels) implements Difference {

        public long change() {
            return after - before;
        }
    }

    record AchievementGained(String achievement) implements Difference {}

    record AchievementLost(String achievement) implements Difference {}

    /** @param before null if there is no streak, as is {@code after} */
    record StreakDiffers(Streak before, Streak after) implements Difference {

        public int lengthBefore() {
            return before == null ? 0 : before.length();
        }

        public int lengthAfter() {
            return after == null ? 0 : after.length();
        }
    }

    /** @param before null if the user takes no part, as is {@code after} */
    record PlaceDiffers(String leaderboard, Place before, Place after) implements Difference {}

    /** The user is there on one side only. */
    record UserAppears() implements Difference {}

    record UserDisappears() implements Difference {}
}
