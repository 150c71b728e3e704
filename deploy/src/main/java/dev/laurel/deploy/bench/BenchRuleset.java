package dev.laurel.deploy.bench;

import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules of the size a real product has: 10 metrics; 50 achievements of all kinds, with and without filters; 3 points systems,
 * each with 10 triggers of all kinds, 5 levels and 3 boosts; a daily streak with freezes.
 *
 * <p>Thresholds are such that the events of {@link BenchTraffic} leave about as many effects as those of the bare pipeline,
 * every third one: each effect is a record for the broker to keep, and the comparison is to be about the rules.
 */
final class BenchRuleset {

    static final int METRICS = 10;

    /** Two metrics that nothing depends on but, where there are leaderboards, the first of them. */
    static final String RANKED = "ranked";
    static final String UNRANKED = "unranked";

    /** Key of the leaderboard of all time. */
    static final String FOR_ALL = "for-all";

    private static final int SYSTEMS = 3;
    private static final int FIRST_STEPS = 2;
    private static final int[] TOTALS = {25, 250, 2_500};
    private static final int[] STREAKS = {3, 7, 14, 30, 60, 100, 180, 365};
    private static final long[] LEVELS = {0, 500, 5_000, 50_000, 500_000};

    /** By points system: how many of a metric pay. */
    private static final long[] THRESHOLDS = {2, 5, 10};

    private static final Map<String, String> PRO = Map.of(BenchTraffic.PLAN, BenchTraffic.PRO);
    private static final Map<String, String> BY_APP = Map.of(BenchTraffic.CHANNEL, BenchTraffic.APP);

    private final Map<String, AchievementSource> achievements = new LinkedHashMap<>();

    private BenchRuleset() {}

    static String metric(int number) {
        return "metric-" + number;
    }

    static RulesetSource source() {
        return new BenchRuleset().rules();
    }

    /** The same rules with the first so many leaderboards. */
    static RulesetSource withLeaderboards(int count) {
        RulesetSource rules = source();
        var metrics = new LinkedHashMap<>(rules.metrics());
        metrics.put(RANKED, new MetricSource(null, "Ranked", null, null));
        metrics.put(UNRANKED, new MetricSource(null, "Unranked", null, null));
        var leaderboards = new LinkedHashMap<String, LeaderboardSource>();
        leaderboards.put(FOR_ALL, leaderboard("For all", null, null));
        if (count > 1) {
            leaderboards.put("weekly", leaderboard("Weekly", "day", 7));
        }
        return new RulesetSource(metrics, rules.attributes(), rules.achievements(), rules.points(), rules.streak(),
                leaderboards, rules.settings(), rules.webhooks(), rules.notifications());
    }

    private static LeaderboardSource leaderboard(String name, String runUnit, Integer runInterval) {
        return new LeaderboardSource(null, name, null, "active", "metric", RANKED, null, null, null, null, null, null,
                null, runUnit, runInterval);
    }

    private RulesetSource rules() {
        var metrics = new LinkedHashMap<String, MetricSource>();
        for (int i = 0; i < METRICS; i++) {
            metrics.put(metric(i), new MetricSource(null, "Metric " + i, null, null));
        }
        var attributes = new AttributesSource(
                Map.of(BenchTraffic.PLAN, new AttributeSource(null, "Plan"), BenchTraffic.CITY,
                        new AttributeSource(null, "City")),
                Map.of(BenchTraffic.CHANNEL, new AttributeSource(null, "Channel")));
        addAchievements();
        var systems = new LinkedHashMap<String, PointsSource>();
        for (int i = 0; i < SYSTEMS; i++) {
            systems.put("points-" + i, new PointsSource(null, "Points " + i, null, null, null,
                    i == 0 ? "reaches" : "exceeds", levels(), boosts(), triggers(i)));
        }
        var conditions = Map.of(metric(0), BigDecimal.ONE, metric(1), BigDecimal.TWO, metric(2), BigDecimal.TWO);
        var streak = new StreakSource(true, "daily", "OR", conditions, true, 1, 3, 7, 1, null, null);
        return new RulesetSource(metrics, attributes, achievements, systems, streak, null, null, null, null);
    }

    /** 25 of totals, 5 for some users, 5 of some events, 8 of streaks, 2 by call, 5 of others: 50. */
    private void addAchievements() {
        for (int i = 0; i < 25; i++) {
            addTotal("total-" + i, i, i < FIRST_STEPS ? 2 : TOTALS[i / METRICS], null, null);
        }
        for (int i = 0; i < 5; i++) {
            addTotal("pro-" + i, i, 50, PRO, null);
            addTotal("app-" + i, i + 5, 10, null, BY_APP);
        }
        for (int length : STREAKS) {
            add("streak-" + length, "streak", null, null, length, null, null, null);
        }
        add("profile", "api", null, null, null, null, null, null);
        add("tour", "api", null, null, null, null, null, null);
        for (int i = 0; i < 4; i++) {
            add("all-" + i, "achievement", null, null, null, List.of("total-" + i, "total-" + (i + 5)), null, null);
        }
        add("everything", "achievement", null, null, null, List.of("all-0", "all-1", "all-2", "all-3", "profile"), PRO,
                null);
    }

    private void addTotal(String key, int metric, long value, Map<String, String> users, Map<String, String> events) {
        add(key, "metric", metric(metric % METRICS), BigDecimal.valueOf(value), null, null, users, events);
    }

    private void add(String key, String trigger, String metric, BigDecimal value, Integer length, List<String> others,
            Map<String, String> users, Map<String, String> events) {
        achievements.put(key, new AchievementSource(null, "Achievement " + key, null, null, trigger, null, metric,
                value, length, others, users, events, null));
    }

    private static Map<String, LevelSource> levels() {
        var levels = new LinkedHashMap<String, LevelSource>();
        for (long points : LEVELS) {
            levels.put("from-" + points, new LevelSource(null, "From " + points, null, null, points));
        }
        return levels;
    }

    /** One for all, one for some users, one that is over. */
    private static Map<String, BoostSource> boosts() {
        var boosts = new LinkedHashMap<String, BoostSource>();
        boosts.put("always", new BoostSource(null, "Always", "2000-01-01", null, new BigDecimal("1.5"), null, null));
        boosts.put("turku", new BoostSource(null, "Turku", "2000-01-01", null, new BigDecimal("1.2"), "nearest",
                Map.of(BenchTraffic.CITY, BenchTraffic.TURKU)));
        boosts.put("over", new BoostSource(null, "Over", "1999-12-01", "1999-12-31", BigDecimal.TWO, null, null));
        return boosts;
    }

    /** Six of metrics (one for some users, one of some events, one that takes) and one of each other kind: ten. */
    private static Map<String, TriggerSource> triggers(int system) {
        var triggers = new LinkedHashMap<String, TriggerSource>();
        long threshold = THRESHOLDS[system];
        for (int i = 0; i < 3; i++) {
            triggers.put("total-" + i, ofMetric(3 * system + i, threshold, 10, null, null));
        }
        triggers.put("pro", ofMetric(3 * system + 3, threshold, 5, PRO, null));
        triggers.put("app", ofMetric(3 * system + 4, threshold, 5, null, BY_APP));
        triggers.put("spent", ofMetric(3 * system + 5, 2 * threshold, -5, null, null));
        triggers.put("week", new TriggerSource(null, "streak", null, null, null, null, null, null, 7, null, null, 70L,
                null));
        triggers.put("done", new TriggerSource(null, "achievement", null, null, null, null, null, "total-" + system,
                null, null, null, 40L, null));
        triggers.put("month", new TriggerSource(null, "time", null, null, null, null, null, null, null, "days", 30,
                20L, null));
        triggers.put("welcome", new TriggerSource(null, "user_creation", null, null, null, null, null, null, null,
                null, null, 50L, null));
        return triggers;
    }

    private static TriggerSource ofMetric(int metric, long threshold, long points, Map<String, String> users,
            Map<String, String> events) {
        return new TriggerSource(null, "metric", null, metric(metric % METRICS), threshold, events, null, null, null,
                null, null, points, users);
    }
}
