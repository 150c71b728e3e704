package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.CompiledRuleset.MetricAchievements;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of what users have reached (docs/analytics.md §2): achievements, streaks, points. */
final class ProgressReports {

    /** The first lengths of the buckets into which present streaks are divided. */
    private static final int[] LENGTHS = {0, 1, 2, 4, 8, 15, 31, 91, 366};

    /** Stands for no achievement and for no level. No key has parentheses. */
    static final String NONE = "(none)";

    private final ReportInput input;

    private ProgressReports(ReportInput input) {
        this.input = input;
    }

    static ReportTable achievements(ReportInput input) {
        var report = new ProgressReports(input);
        Achievement only = input.achievement();
        Metric metric = input.metric();
        List<Achievement> achievements = only != null
                ? List.of(only)
                : input.rules().document().achievements().stream().filter(Achievement::isActive)
                        .filter(achievement -> metric == null || isOf(metric, achievement)).toList();
        return input.ofGroups(group -> Stream.concat(
                achievements.stream().map(achievement -> report.achievement(group, achievement)),
                only == null ? report.ofMetrics(group) : Stream.empty()));
    }

    private static boolean isOf(Metric metric, Achievement achievement) {
        return achievement.trigger() instanceof AchievementTrigger.MetricTotal total
                && total.metric().equals(metric.key());
    }

    /** How many users have reached how much of the achievements of each metric. Present users are not divided by attributes. */
    private Stream<Series> ofMetrics(SegmentGroup group) {
        if (!isOfPresentUsers(group)) {
            return Stream.empty();
        }
        Metric only = input.metric();
        return input.rules().metricAchievements().stream()
                .filter(of -> only == null || only.number() == of.metric().number())
                .map(of -> ofMetric(group, of));
    }

    private Series ofMetric(SegmentGroup group, MetricAchievements of) {
        Map<Integer, Long> counts = present(Counter.HIGHEST_ACHIEVEMENTS, of.metric().number(), group);
        var users = new LinkedHashMap<String, Long>();
        long others = input.counters().sum(input.tenant(), Counter.USERS, 0, group, 0, 0);
        for (Achievement achievement : of.highestFirst().reversed()) {
            long highest = counts.getOrDefault(achievement.number(), 0L);
            others -= highest;
            if (achievement.status() != AchievementStatus.INACTIVE) {
                users.put(achievement.key(), highest);
            }
        }
        users.putFirst(NONE, others);
        return new Columns().add("usersByHighest", users).of(group.label(), ObjectLabel.of(of.metric()));
    }

    /** The counts of present users by the cell. */
    private Map<Integer, Long> present(Counter counter, int object, SegmentGroup group) {
        var counts = new HashMap<Integer, Long>();
        input.counters().forEach(input.tenant(), counter, object, group, counts::put);
        return counts;
    }

    /** Present users are divided by the control group only, because users change their attributes. */
    private static boolean isOfPresentUsers(SegmentGroup group) {
        return group.attribute() == null || group.attribute().equals(SegmentGroup.CONTROL);
    }

    private Series achievement(SegmentGroup group, Achievement achievement) {
        long completed = all(Counter.COMPLETIONS, achievement.number(), group);
        return new Columns()
                .add("completions", input.sums(input.numbers(Counter.COMPLETIONS, achievement.number(), group)))
                .add("total", completed).add("rarity", ReportInput.ratio(completed, all(Counter.NEW_USERS, 0, group)))
                .of(group.label(), new ObjectLabel("achievement", achievement.key(), achievement.number()));
    }

    private long all(Counter counter, int object, SegmentGroup group) {
        return input.counters().sum(input.tenant(), counter, object, group, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static ReportTable streaks(ReportInput input) {
        var report = new ProgressReports(input);
        return input.ofGroups(group -> Stream.of(report.streaks(group)));
    }

    private Series streaks(SegmentGroup group) {
        var columns = new Columns().add("started", sums(Counter.STREAKS_STARTED, group))
                .add("extended", sums(Counter.STREAKS_EXTENDED, group)).add("lost", sums(Counter.STREAKS_LOST, group))
                .add("savedByFreezes", sums(Counter.STREAKS_SAVED, group))
                .add("restored", sums(Counter.STREAKS_RESTORED, group));
        if (isOfPresentUsers(group)) {
            columns.add("lengths", lengths(group)).add("longest", Math.max(0,
                    input.counters().lastCell(input.tenant(), Counter.LONGEST_STREAKS, 0, group)));
        }
        return columns.of(group.label(), null);
    }

    private List<Long> sums(Counter counter, SegmentGroup group) {
        return input.sums(input.numbers(counter, 0, group));
    }

    /** The number of users by the length of the streak: the first and the last length of each bucket, and the users. */
    private Map<String, Long> lengths(SegmentGroup group) {
        var lengths = new LinkedHashMap<String, Long>();
        for (int i = 0; i < LENGTHS.length; i++) {
            int first = LENGTHS[i];
            int last = i + 1 < LENGTHS.length ? LENGTHS[i + 1] - 1 : Integer.MAX_VALUE;
            String name = last == Integer.MAX_VALUE ? first + "+" : first == last ? "" + first : first + "-" + last;
            lengths.put(name, input.counters().sum(input.tenant(), Counter.STREAK_LENGTHS, 0, group, first, last));
        }
        return lengths;
    }

    static ReportTable points(ReportInput input) {
        var report = new ProgressReports(input);
        return input.ofGroups(group -> ReportInput.oneOr(input.system(), input.rules().document().pointsSystems())
                .stream().map(system -> report.points(group, system)));
    }

    private Series points(SegmentGroup group, PointsSystem system) {
        var triggers = new LinkedHashMap<String, List<Long>>();
        for (PointsTrigger trigger : system.triggers()) {
            triggers.put(trigger.key(),
                    input.sums(input.numbers(Counter.POINTS_OF_TRIGGER, trigger.objectNumber(), group)));
        }
        long[] early = input.numbers(Counter.EARLY_POINTS, system.number(), group);
        long[] created = input.numbers(Counter.NEW_USERS, 0, group);
        var columns = new Columns()
                .add("awarded", input.sums(input.numbers(Counter.POINTS_AWARDED, system.number(), group)))
                .add("taken", input.sums(input.numbers(Counter.POINTS_TAKEN, system.number(), group)))
                .add("byTrigger", triggers)
                .add("earnedByNewUsers",
                        input.<@Nullable BigDecimal>perPeriod(
                                period -> ReportInput.ratio(input.sum(early, period), input.sum(created, period))));
        if (isOfPresentUsers(group)) {
            columns.add("usersByLevel", usersByLevel(group, system));
        }
        if (group.attribute() == null && input.top() != null) {
            columns.add("most", input.top().mostPoints(input.tenant(), system.number()));
        }
        return columns.of(group.label(), new ObjectLabel("system", system.key(), system.number()));
    }

    private Map<String, Long> usersByLevel(SegmentGroup group, PointsSystem system) {
        Map<Integer, Long> counts = present(Counter.LEVELS, system.number(), group);
        var users = new LinkedHashMap<String, Long>();
        long others = input.counters().sum(input.tenant(), Counter.USERS, 0, group, 0, 0);
        for (Level level : system.levels()) {
            long onLevel = counts.getOrDefault(level.number(), 0L);
            others -= onLevel;
            users.put(level.key(), onLevel);
        }
        users.putFirst(NONE, others);
        return users;
    }
}
