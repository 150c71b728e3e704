package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.Intervals.Interval;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of how long users stay (docs/analytics.md §2): retention, impact. */
record RetentionReports(ReportInput input) {

    private static final int LEAST_USERS = 100;
    private static final int DIGITS = 4;

    /**
     * How long the users of each cohort stay, who were created in the same period. A share is null while the youngest of them could not
     * have reached it.
     */
    static ReportTable retention(ReportInput input) {
        var report = new RetentionReports(input);
        return input.ofGroups(group -> Stream.of(report.columns(group)));
    }

    private Columns columns(SegmentGroup group) {
        Metric metric = input.metric();
        List<Cohort> cohorts = Cohort.of(
                input,
                metric == null ? 0 : metric.number(),
                group,
                input.window().periods());
        return input.columns(group, metric == null ? null : ObjectLabel.of(metric))
                .add("size", cohorts.stream().map(Cohort::size).toList())
                .add(
                        "exact",
                        cohorts.stream()
                                .map(cohort -> shares(cohort, cohort.active))
                                .toList())
                .add(
                        "rolling",
                        cohorts.stream()
                                .map(cohort -> shares(cohort, cohort.stayed))
                                .toList());
    }

    private List<@Nullable BigDecimal> shares(Cohort cohort, long[] users) {
        var shares = new ArrayList<@Nullable BigDecimal>(users.length);
        for (int n = 0; n < users.length; n++) {
            shares.add(cohort.last + n > input.today() ? null : ReportInput.ratio(users[n], cohort.size));
        }
        return shares;
    }

    /**
     * Whether users with the product's gamification stay longer than the control group without it. It compares the users who were
     * created in the window and are old enough, and the engagement on the days of the window.
     */
    static ReportTable impact(ReportInput input) {
        return new ReportTable(
                List.of(), List.of(new RetentionReports(input).compared().series()), ReportTable.NO_RANKING);
    }

    /** Users of one side. @param engagement on each day of the window on which users were active */
    private record Side(long users, long retained, double[] engagement) {

        double share() {
            return (double) retained / users;
        }
    }

    private Columns compared() {
        Side treatment = side(SegmentGroup.TREATMENT);
        Side control = side(SegmentGroup.IN_CONTROL);
        var columns = input.columns(null).add("days", input.days());
        addRetention(columns, treatment, control);
        addEngagement(columns, treatment, control);
        return columns;
    }

    private void addRetention(Columns columns, Side treatment, Side control) {
        boolean isEnough = treatment.users >= LEAST_USERS && control.users >= LEAST_USERS;
        Interval interval = isEnough
                ? Intervals.ofDifference(treatment.retained, treatment.users, control.retained, control.users)
                : null;
        columns.add("treatmentUsers", treatment.users)
                .add("treatmentRetained", treatment.retained)
                .add("controlUsers", control.users)
                .add("controlRetained", control.retained)
                .add("treatmentRetention", ReportInput.ratio(treatment.retained, treatment.users))
                .add("controlRetention", ReportInput.ratio(control.retained, control.users))
                .add("lift", isEnough ? relative(treatment.share(), control.share()) : null)
                .add("interval", shown(interval))
                .add("significant", interval == null ? null : !interval.containsZero())
                .add(
                        "note",
                        isEnough
                                ? null
                                : "Too little data: at least " + LEAST_USERS + " users in each group are needed.");
    }

    private void addEngagement(Columns columns, Side treatment, Side control) {
        Interval interval = Intervals.ofDifference(treatment.engagement, control.engagement);
        columns.add("treatmentEngagement", mean(treatment.engagement))
                .add("controlEngagement", mean(control.engagement))
                .add(
                        "engagementLift",
                        interval == null
                                ? null
                                : relative(Intervals.mean(treatment.engagement), Intervals.mean(control.engagement)))
                .add("engagementInterval", shown(interval))
                .add("engagementSignificant", interval == null ? null : !interval.containsZero());
    }

    private Side side(SegmentGroup group) {
        int last = Math.min(input.window().to(), input.today() - input.days());
        long users = 0;
        long retained = 0;
        if (last >= input.window().from()) {
            Cohort cohort = Cohort.of(
                            input, 0, group, List.of(new Period(input.window().from(), last)))
                    .getFirst();
            users = cohort.size();
            retained = cohort.stayed()[input.days()];
        }
        Columns ofGroup = input.columns(group, null);
        long[] active = ofGroup.numbers(Counter.ACTIVE);
        BigDecimal[] values = ofGroup.decimals(Counter.VALUE);
        double[] engagement = IntStream.range(0, active.length)
                .filter(day -> active[day] > 0)
                .mapToDouble(day -> values[day].doubleValue() / active[day])
                .toArray();
        return new Side(users, retained, engagement);
    }

    private static @Nullable BigDecimal mean(double[] values) {
        return values.length == 0 ? null : rounded(Intervals.mean(values));
    }

    private static @Nullable BigDecimal relative(double treatment, double control) {
        return control == 0 ? null : rounded((treatment - control) / control);
    }

    private static @Nullable List<BigDecimal> shown(@Nullable Interval interval) {
        return interval == null ? null : List.of(rounded(interval.low()), rounded(interval.high()));
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP);
    }

    /**
     * The users who were created in a period.
     *
     * @param last the last day of the period
     * @param active users who were active n days after their first day
     * @param stayed users who were active on that day or later
     */
    record Cohort(int last, long size, long[] active, long[] stayed) {

        /** The cohorts of the periods. @param object the number of a metric; 0: any event counts */
        static List<Cohort> of(ReportInput input, int object, SegmentGroup group, List<Period> periods) {
            if (periods.isEmpty()) {
                return List.of();
            }
            int first = periods.getFirst().first();
            int last = periods.getLast().last();
            long[] created = input.counters().numbers(input.tenant(), Counter.NEW_USERS, 0, group, first, last);
            int origin = Cohorts.active(first, 0);
            long[] cells = input.counters()
                    .numbers(
                            input.tenant(),
                            Counter.COHORT,
                            object,
                            group,
                            origin,
                            Cohorts.lastActive(last, Cohorts.LAST_DAY));
            var cohorts = new ArrayList<Cohort>();
            for (Period period : periods) {
                long size = 0;
                var active = new long[Cohorts.LAST_DAY + 1];
                var stayed = new long[Cohorts.LAST_DAY + 1];
                for (int day = period.first(); day <= period.last(); day++) {
                    size += created[day - first];
                    for (int n = 0; n <= Cohorts.LAST_DAY; n++) {
                        active[n] += cells[Cohorts.active(day, n) - origin];
                        stayed[n] += cells[Cohorts.lastActive(day, n) - origin];
                    }
                }
                for (int n = Cohorts.LAST_DAY - 1; n >= 0; n--) {
                    stayed[n] += stayed[n + 1];
                }
                cohorts.add(new Cohort(period.last(), size, active, stayed));
            }
            return cohorts;
        }
    }
}
