package dev.laurel.bench;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules of realistic size: 10 metrics; 50 achievements of all kinds, with and without filters; 3 points systems, each
 * with 10 triggers of all kinds, 5 levels and 3 boosts; a daily streak with freezes.
 *
 * <p>With these thresholds, the events of {@link BenchTraffic} cause about as many effects as those of the bare
 * pipeline, one per three events, so that the comparison is about the rules and not about writing effects.
 */
final class BenchRuleset {

    static final int METRICS = 10;

    /** Two metrics without dependent rules; leaderboards rank by the first of them. */
    static final String RANKED = "ranked";
    static final String UNRANKED = "unranked";

    /** Key of the all-time leaderboard. */
    static final String FOR_ALL = "for-all";

    private static final int SYSTEMS = 3;
    private static final int FIRST_STEPS = 2;
    private static final int[] TOTALS = {25, 250, 2_500};
    private static final int[] STREAKS = {3, 7, 14, 30, 60, 100, 180, 365};
    private static final long[] LEVELS = {0, 500, 5_000, 50_000, 500_000};

    /** Metric threshold by points system. */
    private static final long[] THRESHOLDS = {2, 5, 10};

    private static final Draft PRO = Draft.of(BenchTraffic.PLAN, BenchTraffic.PRO);
    private static final Draft BY_APP = Draft.of(BenchTraffic.CHANNEL, BenchTraffic.APP);

    private final Map<String, Draft> achievements = new LinkedHashMap<>();

    private BenchRuleset() {}

    static String metric(int number) {
        return "metric-" + number;
    }

    static RulesetSource source() {
        return new BenchRuleset().rules();
    }

    /** Returns the rules with this number of leaderboards. */
    static RulesetSource withLeaderboards(int count) {
        RulesetSource rules = source();
        Draft metrics = rules.metrics().with(RANKED, Draft.of("name", "Ranked")).with(UNRANKED,
                Draft.of("name", "Unranked"));
        Draft leaderboards = Draft.of(FOR_ALL, leaderboard("For all", null, null));
        if (count > 1) {
            leaderboards = leaderboards.with("weekly", leaderboard("Weekly", "day", 7));
        }
        return new RulesetSource(rules.content().with("metrics", metrics).with("leaderboards", leaderboards));
    }

    private static Draft leaderboard(String name, @Nullable String runUnit,
            @Nullable Integer runInterval) {
        return Draft.of("name", name, "status", "active", "rankBy", "metric", "metric", RANKED, "runUnit", runUnit,
                "runInterval", runInterval);
    }

    private RulesetSource rules() {
        var metrics = new LinkedHashMap<String, Draft>();
        for (int i = 0; i < METRICS; i++) {
            metrics.put(metric(i), Draft.of("name", "Metric " + i));
        }
        Draft attributes = Draft.of("user",
                Draft.of(BenchTraffic.PLAN, Draft.of("name", "Plan"), BenchTraffic.CITY, Draft.of("name", "City")),
                "event", Draft.of(BenchTraffic.CHANNEL, Draft.of("name", "Channel")));
        addAchievements();
        var systems = new LinkedHashMap<String, Draft>();
        for (int i = 0; i < SYSTEMS; i++) {
            systems.put("points-" + i, Draft.of("name", "Points " + i, "levelAt", i == 0 ? "reaches" : "exceeds",
                    "levels", levels(), "boosts", boosts(), "triggers", triggers(i)));
        }
        Draft conditions = Draft.of(metric(0), BigDecimal.ONE, metric(1), BigDecimal.TWO, metric(2), BigDecimal.TWO);
        Draft streak = Draft.of("enabled", true, "frequency", "daily", "evaluationMode", "OR", "metrics", conditions,
                "freezesEnabled", true, "initialFreezes", 1, "maxFreezes", 3, "freezeAutoEarnInterval", 7,
                "freezeAutoEarnAmount", 1);
        return RulesetSource.of(Map.of("metrics", Draft.of(metrics), "attributes", attributes, "achievements",
                Draft.of(achievements), "points", Draft.of(systems), "streak", streak));
    }

    /** Adds 50: 25 for totals, 5 for some users, 5 for some events, 8 for streaks, 2 by API, 5 composite. */
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

    private void addTotal(String key, int metric, long value, @Nullable Draft users,
            @Nullable Draft events) {
        add(key, "metric", metric(metric % METRICS), BigDecimal.valueOf(value), null, null, users, events);
    }

    private void add(String key, String trigger, @Nullable String metric, @Nullable BigDecimal value,
            @Nullable Integer length, @Nullable List<String> others, @Nullable Draft users, @Nullable Draft events) {
        achievements.put(key,
                Draft.of("name", "Achievement " + key, "trigger", trigger, "metric", metric, "value", value,
                        "streakLength", length, "achievements", others, "userAttributes", users, "eventAttributes",
                        events));
    }

    private static Draft levels() {
        var levels = new LinkedHashMap<String, Draft>();
        for (long points : LEVELS) {
            levels.put("from-" + points, Draft.of("name", "From " + points, "points", points));
        }
        return Draft.of(levels);
    }

    /** Returns three boosts: for all users, for some users, and an ended one. */
    private static Draft boosts() {
        return Draft.of("always",
                Draft.of("name", "Always", "start", "2000-01-01", "multiplier", new BigDecimal("1.5")), "turku",
                Draft.of("name", "Turku", "start", "2000-01-01", "multiplier", new BigDecimal("1.2"), "rounding",
                        "nearest", "userAttributes", Draft.of(BenchTraffic.CITY, BenchTraffic.TURKU)),
                "over", Draft.of("name", "Over", "start", "1999-12-01", "end", "1999-12-31", "multiplier",
                        BigDecimal.TWO));
    }

    /** Returns ten triggers: six of metrics (for all users, some users, some events; one negative), and one of each other kind. */
    private static Draft triggers(int system) {
        var triggers = new LinkedHashMap<String, Draft>();
        long threshold = THRESHOLDS[system];
        for (int i = 0; i < 3; i++) {
            triggers.put("total-" + i, ofMetric(3 * system + i, threshold, 10, null, null));
        }
        triggers.put("pro", ofMetric(3 * system + 3, threshold, 5, PRO, null));
        triggers.put("app", ofMetric(3 * system + 4, threshold, 5, null, BY_APP));
        triggers.put("spent", ofMetric(3 * system + 5, 2 * threshold, -5, null, null));
        triggers.put("week", Draft.of("type", "streak", "streakLength", 7, "points", 70L));
        triggers.put("done", Draft.of("type", "achievement", "achievement", "total-" + system, "points", 40L));
        triggers.put("month", Draft.of("type", "time", "timeUnit", "days", "timeInterval", 30, "points", 20L));
        triggers.put("welcome", Draft.of("type", "user_creation", "points", 50L));
        return Draft.of(triggers);
    }

    private static Draft ofMetric(int metric, long threshold, long points, @Nullable Draft users,
            @Nullable Draft events) {
        return Draft.of("type", "metric", "metric", metric(metric % METRICS), "threshold", threshold,
                "eventAttributes", events, "points", points, "userAttributes", users);
    }
}
