package dev.laurel.deploy.bench;

import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rules of the size a real product has: 10 metrics, 50 achievements, 3 points systems with 10 triggers each, a daily streak.
 */
final class BenchRuleset {

    private static final int METRICS = 10;
    private static final int ACHIEVEMENTS = 50;
    private static final int SYSTEMS = 3;
    private static final int TRIGGERS = 10;

    /** Every fifth, tenth and 25th event of a metric pays: 0.34 awards per event, the bare pipeline's every third effect. */
    private static final long[] THRESHOLDS = {5, 10, 25};

    private BenchRuleset() {}

    static String metricOf(long event) {
        return "metric-" + event % METRICS;
    }

    static RulesetSource source() {
        var metrics = new LinkedHashMap<String, MetricSource>();
        for (int i = 0; i < METRICS; i++) {
            metrics.put("metric-" + i, new MetricSource(null, "Metric " + i, null, null));
        }
        var achievements = new LinkedHashMap<String, AchievementSource>();
        for (int i = 0; i < ACHIEVEMENTS; i++) {
            // Five steps per metric, from the first event to hundreds.
            BigDecimal value = BigDecimal.valueOf((long) Math.pow(4, i / METRICS));
            achievements.put("achievement-" + i, new AchievementSource(null, "Achievement " + i, null, null, "metric",
                    null, "metric-" + i % METRICS, value, null, null, null, null, null));
        }
        var systems = new LinkedHashMap<String, PointsSource>();
        for (int i = 0; i < SYSTEMS; i++) {
            var triggers = new LinkedHashMap<String, TriggerSource>();
            for (int t = 0; t < TRIGGERS; t++) {
                long threshold = THRESHOLDS[i];
                triggers.put("trigger-" + t,
                        new TriggerSource(null, "metric", null, "metric-" + t, threshold, null, null,
                                null, null, null, null, 10L, null));
            }
            systems.put("points-" + i,
                    new PointsSource(null, "Points " + i, null, null, null, null, null, null, triggers));
        }
        var streak = new StreakSource(true, "daily", "OR", Map.of("metric-0", BigDecimal.ONE), null, null, null, null,
                null,
                null, null);
        return new RulesetSource(metrics, null, achievements, systems, streak, null);
    }
}
