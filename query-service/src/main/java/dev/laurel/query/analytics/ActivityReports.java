package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of how many users are active, and how much (docs/analytics.md §2): active users, events, engagement. */
final class ActivityReports {

    /** The object that stands for the events of all metrics. */
    private static final int ANY = 0;

    private final ReportInput input;

    private ActivityReports(ReportInput input) {
        this.input = input;
    }

    static ReportTable activeUsers(ReportInput input) {
        var report = new ActivityReports(input);
        return input.ofGroups(group -> Stream.of(report.activeUsers(group)));
    }

    private Series activeUsers(SegmentGroup group) {
        long[] active = input.numbers(Counter.ACTIVE, ANY, group);
        long[] inMonth = input.numbers(Counter.ACTIVE_30, ANY, group);
        long[] created = input.numbers(Counter.NEW_USERS, ANY, group);
        return new Columns().add("dau", input.averages(active))
                .add("wau", input.last(input.numbers(Counter.ACTIVE_7, ANY, group))).add("mau", input.last(inMonth))
                .add("stickiness", input.<@Nullable BigDecimal>perPeriod(period -> stickiness(active, inMonth, period)))
                .add("newUsers", input.sums(created)).add("totalUsers", totals(group, created))
                .of(group.label(), null);
    }

    /** The average number of active users in a period, divided by the users active in the 30 days until its end. */
    private @Nullable BigDecimal stickiness(long[] active, long[] inMonth, Period period) {
        return ReportInput.ratio(input.sum(active, period),
                inMonth[period.last() - input.window().from()] * period.days());
    }

    private List<Long> totals(SegmentGroup group, long[] created) {
        long before = input.counters().sum(input.tenant(), Counter.NEW_USERS, ANY, group, Integer.MIN_VALUE,
                input.window().from() - 1);
        var totals = new ArrayList<Long>();
        for (Period period : input.window().periods()) {
            before += input.sum(created, period);
            totals.add(before);
        }
        return totals;
    }

    static ReportTable events(ReportInput input) {
        var report = new ActivityReports(input);
        return report.overallAndByMetric(report::events, report::eventsOf);
    }

    private Series events(SegmentGroup group) {
        var events = new long[input.window().days()];
        BigDecimal[] values = input.decimalsOfAll(Counter.VALUE, group);
        for (int metric : input.counters().objects(input.tenant(), Counter.EVENTS)) {
            long[] ofMetric = input.numbers(Counter.EVENTS, metric, group);
            for (int i = 0; i < events.length; i++) {
                events[i] += ofMetric[i];
            }
        }
        return new Columns().add("events", input.sums(events)).add("value", input.sums(values))
                .add("activeUsers", input.averages(input.numbers(Counter.ACTIVE, ANY, group))).of(group.label(), null);
    }

    private Series eventsOf(SegmentGroup group, Metric metric) {
        return new Columns().add("events", input.sums(input.numbers(Counter.EVENTS, metric.number(), group)))
                .add("value", input.sums(input.decimals(Counter.VALUE, metric.number(), group)))
                .add("activeUsers", input.averages(input.numbers(Counter.ACTIVE, metric.number(), group)))
                .of(group.label(), ObjectLabel.of(metric));
    }

    static ReportTable engagement(ReportInput input) {
        var report = new ActivityReports(input);
        return report.overallAndByMetric(
                group -> report.engagement(group, ANY, input.decimalsOfAll(Counter.VALUE, group),
                        input.decimalsOfAll(Counter.EARLY_VALUE, group)).of(group.label(), null),
                (group, metric) -> report.engagement(group, metric.number(),
                        input.decimals(Counter.VALUE, metric.number(), group),
                        input.decimals(Counter.EARLY_VALUE, metric.number(), group))
                        .of(group.label(), ObjectLabel.of(metric)));
    }

    private Columns engagement(SegmentGroup group, int object, BigDecimal[] values, BigDecimal[] early) {
        long[] active = input.numbers(Counter.ACTIVE, object, group);
        long[] earlyActive = input.numbers(Counter.EARLY_ACTIVE, object, group);
        return new Columns()
                .add("engagement",
                        input.<@Nullable BigDecimal>perPeriod(period -> ReportInput.ratio(input.sum(values, period),
                                input.sum(active, period))))
                .add("earlyEngagement", input.<@Nullable BigDecimal>perPeriod(
                        period -> ReportInput.ratio(input.sum(early, period), input.sum(earlyActive, period))));
    }

    private ReportTable overallAndByMetric(Function<SegmentGroup, Series> overall,
            BiFunction<SegmentGroup, Metric, Series> ofMetric) {
        Metric only = input.metric();
        return input.ofGroups(group -> Stream.concat(only == null ? Stream.of(overall.apply(group)) : Stream.empty(),
                ReportInput.oneOr(only, input.rules().metrics()).stream()
                        .map(metric -> ofMetric.apply(group, metric))));
    }
}
