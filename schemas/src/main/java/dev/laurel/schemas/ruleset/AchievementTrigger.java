package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;

/** What completes an achievement (semantics.md §4). */
public sealed interface AchievementTrigger {

    /** The metric's total is at or above {@code value}. */
    record MetricTotal(String metric, BigDecimal value) implements AchievementTrigger {}
}
