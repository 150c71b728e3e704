package dev.laurel.query.analytics;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.LeaderboardRuns.BoardRun;
import dev.laurel.query.analytics.LeaderboardRuns.RunCounts;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a report is made from: the counters, and the question.
 *
 * @param deliveryCounters those of delivery; null: the report needs none
 * @param groups the users of each series
 * @param today the present day in the tenant's default zone, as an epoch day
 * @param days the distance from the first day that {@code impact} compares
 * @param metric only this metric; null: all
 * @param achievement only this achievement; null: all
 * @param system only this points system; null: all
 * @param template only this template of messages; null: all
 * @param webhook only this webhook; null: all
 * @param runs the runs of leaderboards to report; empty: the report has none
 * @param runCounts the figures of runs; null if there are none to report
 * @param isRecent whether a ranking is of the last 30 days only
 * @param limit the number of users that a ranking lists
 * @param top the rankings of users; null: they are not known, and reports lack them
 */
record ReportInput(
        TenantId tenant,
        CompiledRuleset rules,
        AccountCounters counters,
        @Nullable AccountCounters deliveryCounters,
        Window window,
        List<SegmentGroup> groups,
        int today,
        int days,
        @Nullable Metric metric,
        @Nullable Achievement achievement,
        @Nullable PointsSystem system,
        @Nullable Template template,
        @Nullable Webhook webhook,
        List<BoardRun> runs,
        @Nullable RunCounts runCounts,
        boolean isRecent,
        int limit,
        @Nullable TopUserLists top) {

    private static final int RATIO_DIGITS = 4;

    /** All objects and all users, without what needs the users or delivery. */
    static ReportInput ofCounters(TenantId tenant, CompiledRuleset rules, AccountCounters counters, Window window) {
        return new ReportInput(
                tenant,
                rules,
                counters,
                null,
                window,
                List.of(SegmentGroup.ALL),
                window.to(),
                1,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                false,
                0,
                null);
    }

    /** The one object that is asked for, or all. */
    static <T> List<T> oneOr(@Nullable T only, List<T> all) {
        return only == null ? all : List.of(only);
    }

    /** The table with some series of each group. */
    ReportTable ofGroups(Function<SegmentGroup, Stream<Columns>> series) {
        return ReportTable.of(window, groups.stream().flatMap(series));
    }

    /** A new series of a group. @param object null: it concerns no single one */
    Columns columns(SegmentGroup group, @Nullable ObjectLabel object) {
        return new Columns(this, counters, group, object, new LinkedHashMap<>());
    }

    /** A new series of all users. @param object null: it concerns no single one */
    Columns columns(@Nullable ObjectLabel object) {
        return columns(SegmentGroup.ALL, object);
    }

    /** The same series, with the counters of delivery. */
    Columns ofDelivery(Columns series) {
        return new Columns(
                this,
                requireNonNull(deliveryCounters, "the counters of delivery are read for these reports"),
                series.group(),
                series.object(),
                series.values());
    }

    /** A value for each period. */
    <T extends @Nullable Object> List<T> perPeriod(Function<Period, T> value) {
        return window.periods().stream().map(value).toList();
    }

    /** The sums of the periods. @param days the values of the days of the window */
    List<Long> sums(long[] days) {
        return perPeriod(period -> sum(days, period));
    }

    /** The sums of the periods. @param days the values of the days of the window */
    List<BigDecimal> sums(BigDecimal[] days) {
        return perPeriod(period -> sum(days, period));
    }

    long sum(long[] days, Period period) {
        long sum = 0;
        for (int day = period.first(); day <= period.last(); day++) {
            sum += days[day - window.from()];
        }
        return sum;
    }

    BigDecimal sum(BigDecimal[] days, Period period) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int day = period.first(); day <= period.last(); day++) {
            sum = sum.add(days[day - window.from()]);
        }
        return Amounts.canonical(sum);
    }

    /** The values of the last days of the periods. @param days the values of the days of the window */
    List<Long> last(long[] days) {
        return perPeriod(period -> days[period.last() - window.from()]);
    }

    /** The averages of the periods: whole numbers if the periods are days. @param days the values of the days of the window */
    List<Number> averages(long[] days) {
        return perPeriod(period -> average(days, period));
    }

    private Number average(long[] days, Period period) {
        long sum = sum(days, period);
        return period.days() == 1
                ? (Number) sum
                : Amounts.canonical(
                        BigDecimal.valueOf(sum).divide(BigDecimal.valueOf(period.days()), 2, RoundingMode.HALF_UP));
    }

    /** A ratio for each period; null if its denominator is 0. */
    List<@Nullable BigDecimal> ratios(Function<Period, BigDecimal> numerator, ToLongFunction<Period> denominator) {
        return this.<@Nullable BigDecimal>perPeriod(
                period -> ratio(numerator.apply(period), denominator.applyAsLong(period)));
    }

    /** A ratio with {@value #RATIO_DIGITS} digits; null if the denominator is 0. */
    static @Nullable BigDecimal ratio(BigDecimal numerator, long denominator) {
        return denominator == 0
                ? null
                : Amounts.canonical(
                        numerator.divide(BigDecimal.valueOf(denominator), RATIO_DIGITS, RoundingMode.HALF_UP));
    }

    static @Nullable BigDecimal ratio(long numerator, long denominator) {
        return ratio(BigDecimal.valueOf(numerator), denominator);
    }
}
