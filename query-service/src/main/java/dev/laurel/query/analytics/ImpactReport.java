package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.Intervals.Interval;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.RetentionReport.Cohort;
import dev.laurel.query.analytics.Window.Period;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The report of whether users with the product's gamification stay longer than the control group without it (docs/analytics.md §2). It
 * compares the users who were created in the window and are old enough, and the engagement on the days of the window.
 */
final class ImpactReport {

    private static final int LEAST_USERS = 100;
    private static final int DIGITS = 4;

    private final ReportInput input;

    /** Users of one side. @param engagement on each day of the window on which users were active */
    private record Side(long users, long retained, double[] engagement) {

        double share() {
            return (double) retained / users;
        }
    }

    private ImpactReport(ReportInput input) {
        this.input = input;
    }

    static ReportTable make(ReportInput input) {
        return new ReportTable(List.of(), List.of(new ImpactReport(input).columns().of(Map.of(), null)),
                ReportTable.NO_RANKING);
    }

    private Columns columns() {
        Side treatment = side(SegmentGroup.TREATMENT);
        Side control = side(SegmentGroup.IN_CONTROL);
        var columns = new Columns().add("days", input.days());
        addRetention(columns, treatment, control);
        addEngagement(columns, treatment, control);
        return columns;
    }

    private void addRetention(Columns columns, Side treatment, Side control) {
        boolean isEnough = treatment.users >= LEAST_USERS && control.users >= LEAST_USERS;
        Interval interval = isEnough
                ? Intervals.ofDifference(treatment.retained, treatment.users, control.retained, control.users)
                : null;
        columns.add("treatmentUsers", treatment.users).add("treatmentRetained", treatment.retained)
                .add("controlUsers", control.users).add("controlRetained", control.retained)
                .add("treatmentRetention", ReportInput.ratio(treatment.retained, treatment.users))
                .add("controlRetention", ReportInput.ratio(control.retained, control.users))
                .add("lift", isEnough ? relative(treatment.share(), control.share()) : null)
                .add("interval", shown(interval)).add("significant", interval == null ? null : !interval.containsZero())
                .add("note",
                        isEnough
                                ? null
                                : "Too little data: at least " + LEAST_USERS + " users in each group are needed.");
    }

    private void addEngagement(Columns columns, Side treatment, Side control) {
        Interval interval = Intervals.ofDifference(treatment.engagement, control.engagement);
        columns.add("treatmentEngagement", mean(treatment.engagement))
                .add("controlEngagement", mean(control.engagement))
                .add("engagementLift",
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
            Cohort cohort = Cohort.of(input, 0, group, List.of(new Period(input.window().from(), last))).getFirst();
            users = cohort.size();
            retained = cohort.stayed()[input.days()];
        }
        long[] active = input.numbers(Counter.ACTIVE, 0, group);
        BigDecimal[] values = input.decimalsOfAll(Counter.VALUE, group);
        double[] engagement = IntStream.range(0, active.length).filter(day -> active[day] > 0)
                .mapToDouble(day -> values[day].doubleValue() / active[day]).toArray();
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
}
