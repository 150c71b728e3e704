package dev.laurel.query.analytics;

import dev.laurel.processors.core.analytics.Counter;
import dev.laurel.processors.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reports of what users have reached (docs/analytics.md §2): achievements, streaks, points. */
final class ProgressReports {

    /** The first lengths of the buckets into which present streaks are divided. */
    private static final int[] LENGTHS = {0, 1, 2, 4, 8, 15, 31, 91, 366};

    private final ReportInput input;

    private ProgressReports(ReportInput input) {
        this.input = input;
    }

    static ReportTable achievements(ReportInput input) {
        var report = new ProgressReports(input);
        Achievement only = input.achievement();
        List<Achievement> achievements = only != null
                ? List.of(only)
                : input.rules().document().achievements().stream().filter(Achievement::isActive).toList();
        return ReportTable.of(input.window(), input.groups().stream()
                .flatMap(group -> achievements.stream().map(achievement -> report.achievement(group, achievement)))
                .toList());
    }

    private Series achievement(SegmentGroup group, Achievement achievement) {
        long completed = all(Counter.COMPLETIONS, achievement.number(), group);
        return new Columns()
                .add("completions", input.sums(input.numbers(Counter.COMPLETIONS, achievement.number(), group)))
                .add("total", completed).add("rarity", ReportInput.ratio(completed, all(Counter.NEW_USERS, 0, group)))
                .of(group.label(), new ObjectLabel("achievement", achievement.key()));
    }

    private long all(Counter counter, int object, SegmentGroup group) {
        return input.counters().sum(input.tenant(), counter, object, group, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static ReportTable streaks(ReportInput input) {
        return ReportTable.of(input.window(),
                input.groups().stream().map(new ProgressReports(input)::streaks).toList());
    }

    private Series streaks(SegmentGroup group) {
        var columns = new Columns().add("started", sums(Counter.STREAKS_STARTED, group))
                .add("extended", sums(Counter.STREAKS_EXTENDED, group)).add("lost", sums(Counter.STREAKS_LOST, group))
                .add("savedByFreezes", sums(Counter.STREAKS_SAVED, group))
                .add("restored", sums(Counter.STREAKS_RESTORED, group));
        // Users by length are not divided by attributes, which users change.
        if (group.attribute() == null || group.attribute().equals(SegmentGroup.CONTROL)) {
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
        PointsSystem only = input.system();
        List<PointsSystem> systems = only != null ? List.of(only) : input.rules().document().pointsSystems();
        return ReportTable.of(input.window(), input.groups().stream()
                .flatMap(group -> systems.stream().map(system -> report.points(group, system))).toList());
    }

    private Series points(SegmentGroup group, PointsSystem system) {
        var triggers = new LinkedHashMap<String, List<Long>>();
        for (PointsTrigger trigger : system.triggers()) {
            triggers.put(trigger.key(), input.sums(input.numbers(Counter.POINTS_OF_TRIGGER, trigger.number(), group)));
        }
        long[] early = input.numbers(Counter.EARLY_POINTS, system.number(), group);
        long[] created = input.numbers(Counter.NEW_USERS, 0, group);
        return new Columns()
                .add("awarded", input.sums(input.numbers(Counter.POINTS_AWARDED, system.number(), group)))
                .add("taken", input.sums(input.numbers(Counter.POINTS_TAKEN, system.number(), group)))
                .add("byTrigger", triggers)
                .add("earnedByNewUsers",
                        input.ratios(period -> ReportInput.ratio(input.sum(early, period), input.sum(created, period))))
                .of(group.label(), new ObjectLabel("system", system.key()));
    }
}
