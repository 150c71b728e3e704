package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.PointsRules.PaidTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import java.util.List;

/**
 * The active rules for the events of one metric, in ruleset order.
 *
 * @param boards the open leaderboards that compare the metric
 */
public record MetricRules(
        Metric metric, List<TotalGoal> goals, List<ThresholdTrigger> triggers, List<LeaderboardRules> boards) {

    public MetricRules {
        goals = List.copyOf(goals);
        triggers = List.copyOf(triggers);
        boards = List.copyOf(boards);
    }

    /** An achievement that is completed when the total, or its own sum of filtered events, is high enough. */
    public record TotalGoal(Achievement achievement, AchievementTrigger.MetricTotal rule) {}

    /** A trigger that pays at each multiple of a threshold. */
    public record ThresholdTrigger(PaidTrigger paid, TriggerRule.MetricThreshold rule) {}
}
