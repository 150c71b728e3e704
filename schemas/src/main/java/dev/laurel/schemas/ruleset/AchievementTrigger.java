package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.List;

/** What completes an achievement (docs/semantics.md §4). */
public sealed interface AchievementTrigger {

    /**
     * The metric's total is at or above {@code value}; with filters, the sum of the matching events since the achievement
     * became active.
     *
     * @param eventAttributes filters on events, empty if every event counts
     * @param sumNumber under which users keep that filtered sum; 0 without filters. A sum that starts anew gets a new one.
     */
    record MetricTotal(String metric, BigDecimal value, List<AttributeFilter> eventAttributes, int sumNumber)
            implements
                AchievementTrigger {

        public MetricTotal {
            eventAttributes = eventAttributes == null ? List.of() : List.copyOf(eventAttributes);
        }
    }

    /** The streak is at least this long. */
    record StreakLength(int length) implements AchievementTrigger {}

    /** A client says so. */
    record Api() implements AchievementTrigger {}

    /** All of these achievements, named by their keys, are completed. */
    record Composite(List<String> achievements) implements AchievementTrigger {

        public Composite {
            achievements = List.copyOf(achievements);
        }
    }
}
