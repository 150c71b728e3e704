package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of what users have reached (docs/analytics.md §2): achievements, streaks, points. */
final class ProgressReports {

    /** The first lengths of the buckets into which present streaks are divided. */
    private static final int[] LENGTHS = {0, 1, 2, 4, 8, 15, 31, 91, 366};

    /** Stands for no achievement and for no level. No key has parentheses. */
    static final String NONE = "(none)";

    private ProgressReports() {}

    static ReportTable achievements(ReportInput input) {
        Achievement only = input.achievement();
        Metric metric = input.metric();
        List<Achievement> achievements = only != null
                ? List.of(only)
                : input.rules().document().achievements().stream()
                        .filter(Achievement::isActive)
                        .filter(achievement -> metric == null || isOf(metric, achievement))
                        .toList();
        return input.ofGroups(group -> Stream.concat(
                achievements.stream()
                        .map(achievement -> achievement(input.columns(
                                group, new ObjectLabel("achievement", achievement.key(), achievement.number())))),
                only == null ? ofMetrics(input, group) : Stream.empty()));
    }

    private static boolean isOf(Metric metric, Achievement achievement) {
        return achievement.trigger() instanceof AchievementTrigger.MetricTotal total
                && total.metric().equals(metric.key());
    }

    /** How many users have reached how much of the achievements of each metric. Present users are not divided by attributes. */
    private static Stream<Columns> ofMetrics(ReportInput input, SegmentGroup group) {
        Metric only = input.metric();
        return input.rules().metricAchievements().stream()
                .filter(of -> isOfPresentUsers(group)
                        && (only == null || only.number() == of.metric().number()))
                .map(of -> {
                    Columns columns = input.columns(group, ObjectLabel.of(of.metric()));
                    return columns.add(
                            "usersByHighest",
                            users(
                                    columns,
                                    Counter.HIGHEST_ACHIEVEMENTS,
                                    of.highestFirst().reversed(),
                                    Achievement::number,
                                    achievement -> achievement.status() == AchievementStatus.INACTIVE
                                            ? null
                                            : achievement.key()));
                });
    }

    /**
     * The present users by the object that they have, then those who have none.
     *
     * @param keyOf null: the users are not listed
     */
    private static <T> Map<String, Long> users(
            Columns columns,
            Counter counter,
            List<T> objects,
            ToIntFunction<T> numberOf,
            Function<T, @Nullable String> keyOf) {
        var counts = new HashMap<Integer, Long>();
        columns.counters().forEach(columns.input().tenant(), counter, columns.number(), columns.group(), counts::put);
        var users = new LinkedHashMap<String, Long>();
        long others = columns.sum(Counter.USERS, 0, 0, 0);
        for (T object : objects) {
            long having = counts.getOrDefault(numberOf.applyAsInt(object), 0L);
            others -= having;
            String key = keyOf.apply(object);
            if (key != null) {
                users.put(key, having);
            }
        }
        users.putFirst(NONE, others);
        return users;
    }

    /** Present users are divided by the control group only, because users change their attributes. */
    private static boolean isOfPresentUsers(SegmentGroup group) {
        return group.attribute() == null || group.attribute().equals(SegmentGroup.CONTROL);
    }

    private static Columns achievement(Columns columns) {
        long completed = columns.sum(Counter.COMPLETIONS, columns.number(), Integer.MIN_VALUE, Integer.MAX_VALUE);
        return columns.sums("completions", Counter.COMPLETIONS)
                .add("total", completed)
                .add("rarity", ReportInput.ratio(completed, columns.createdUntil(Integer.MAX_VALUE)));
    }

    static ReportTable streaks(ReportInput input) {
        return input.ofGroups(group -> Stream.of(streaks(input.columns(group, null))));
    }

    private static Columns streaks(Columns columns) {
        columns.sums("started", Counter.STREAKS_STARTED)
                .sums("extended", Counter.STREAKS_EXTENDED)
                .sums("lost", Counter.STREAKS_LOST)
                .sums("savedByFreezes", Counter.STREAKS_SAVED)
                .sums("restored", Counter.STREAKS_RESTORED);
        if (isOfPresentUsers(columns.group())) {
            columns.add("lengths", lengths(columns))
                    .add(
                            "longest",
                            Math.max(
                                    0,
                                    columns.counters()
                                            .lastCell(
                                                    columns.input().tenant(),
                                                    Counter.LONGEST_STREAKS,
                                                    0,
                                                    columns.group())));
        }
        return columns;
    }

    /** The number of users by the length of the streak: the first and the last length of each bucket, and the users. */
    private static Map<String, Long> lengths(Columns columns) {
        var lengths = new LinkedHashMap<String, Long>();
        for (int i = 0; i < LENGTHS.length; i++) {
            int first = LENGTHS[i];
            int last = i + 1 < LENGTHS.length ? LENGTHS[i + 1] - 1 : Integer.MAX_VALUE;
            String name = last == Integer.MAX_VALUE ? first + "+" : first == last ? "" + first : first + "-" + last;
            lengths.put(name, columns.sum(Counter.STREAK_LENGTHS, 0, first, last));
        }
        return lengths;
    }

    static ReportTable points(ReportInput input) {
        return input.ofGroups(group ->
                ReportInput.oneOr(input.system(), input.rules().document().pointsSystems()).stream()
                        .map(system -> points(
                                input.columns(group, new ObjectLabel("system", system.key(), system.number())),
                                system)));
    }

    private static Columns points(Columns columns, PointsSystem system) {
        ReportInput input = columns.input();
        var triggers = new LinkedHashMap<String, List<Long>>();
        for (PointsTrigger trigger : system.triggers()) {
            triggers.put(trigger.key(), input.sums(columns.numbers(Counter.POINTS_OF_TRIGGER, trigger.objectNumber())));
        }
        long[] early = columns.numbers(Counter.EARLY_POINTS);
        long[] created = columns.created();
        columns.sums("awarded", Counter.POINTS_AWARDED)
                .sums("taken", Counter.POINTS_TAKEN)
                .add("byTrigger", triggers)
                .add(
                        "earnedByNewUsers",
                        input.ratios(
                                period -> BigDecimal.valueOf(input.sum(early, period)),
                                period -> input.sum(created, period)));
        if (isOfPresentUsers(columns.group())) {
            columns.add("usersByLevel", users(columns, Counter.LEVELS, system.levels(), Level::number, Level::key));
        }
        if (columns.group().attribute() == null && input.top() != null) {
            columns.add("most", input.top().mostPoints(input.tenant(), system.number()));
        }
        return columns;
    }
}
