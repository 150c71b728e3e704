package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.util.List;

/** What an event of one metric must look at, in ruleset order. */
public record MetricRules(Metric metric, List<TotalGoal> achievements, List<ThresholdTrigger> triggers) {

    public MetricRules {
        achievements = List.copyOf(achievements);
        triggers = List.copyOf(triggers);
    }

    /** An achievement that is completed when the total reaches {@code value}. */
    public record TotalGoal(Achievement achievement, BigDecimal value) {}

    /** A trigger that pays into {@code system} at each multiple of {@code threshold}. */
    public record ThresholdTrigger(PointsSystem system, PointsTrigger trigger, long threshold) {}
}
