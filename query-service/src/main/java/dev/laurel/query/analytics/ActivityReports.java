package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.Window.Period;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of how many users are active, and how much (docs/analytics.md §2): active users, events, engagement. */
final class ActivityReports {

    private ActivityReports() {}

    static ReportTable activeUsers(ReportInput input) {
        return input.ofGroups(group -> Stream.of(activeUsers(input, input.columns(group, null))));
    }

    private static Columns activeUsers(ReportInput input, Columns users) {
        long[] active = users.numbers(Counter.ACTIVE);
        long[] inMonth = users.numbers(Counter.ACTIVE_30);
        long[] created = users.created();
        // Stickiness is the average number of active users in a period, divided by the users active in the 30 days
        // until its end.
        return users.add("dau", input.averages(active))
                .add("wau", input.last(users.numbers(Counter.ACTIVE_7)))
                .add("mau", input.last(inMonth))
                .add(
                        "stickiness",
                        input.ratios(
                                period -> BigDecimal.valueOf(input.sum(active, period)),
                                period -> inMonth[period.last() - input.window().from()] * period.days()))
                .add("newUsers", input.sums(created))
                .add("totalUsers", totals(input, users, created));
    }

    private static List<Long> totals(ReportInput input, Columns users, long[] created) {
        long before = users.createdUntil(input.window().from() - 1);
        var totals = new ArrayList<Long>();
        for (Period period : input.window().periods()) {
            before += input.sum(created, period);
            totals.add(before);
        }
        return totals;
    }

    static ReportTable events(ReportInput input) {
        return overallAndByMetric(
                input,
                columns -> columns.add("events", input.sums(columns.numbersOfAll(Counter.EVENTS)))
                        .add("value", input.sums(columns.decimals(Counter.VALUE)))
                        .add("activeUsers", input.averages(columns.numbers(Counter.ACTIVE))));
    }

    static ReportTable engagement(ReportInput input) {
        return overallAndByMetric(
                input,
                columns -> columns.add("engagement", perUser(input, columns, Counter.VALUE, Counter.ACTIVE))
                        .add("earlyEngagement", perUser(input, columns, Counter.EARLY_VALUE, Counter.EARLY_ACTIVE)));
    }

    private static List<@Nullable BigDecimal> perUser(
            ReportInput input, Columns columns, Counter value, Counter active) {
        BigDecimal[] values = columns.decimals(value);
        long[] users = columns.numbers(active);
        return input.ratios(period -> input.sum(values, period), period -> input.sum(users, period));
    }

    private static ReportTable overallAndByMetric(ReportInput input, UnaryOperator<Columns> fill) {
        var objects = new ArrayList<@Nullable ObjectLabel>();
        if (input.metric() == null) {
            objects.add(null);
        }
        ReportInput.oneOr(input.metric(), input.rules().metrics())
                .forEach(metric -> objects.add(ObjectLabel.of(metric)));
        return input.ofGroups(group -> objects.stream().map(object -> fill.apply(input.columns(group, object))));
    }
}
