package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.wire.EventSummaryBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;

/**
 * How a metric or a points system of one user went over a range of local dates (application-api.md §4 "event-summary"):
 * one entry per period that touches the range, quiet ones included, ascending; the first and the last period are cut to the
 * range. Days are epoch days. Pure; reads the day buckets from the range's start on.
 */
public final class EventSummaries {

    private EventSummaries() {}

    /** @param metric its number; @param first of the range, @param last of it, inclusive, not before {@code first} */
    public static List<EventSummaryBody> ofMetric(UserState state, UserHistory history, int metric, Periods periods,
            int first, int last) {
        MetricState counted = state.metrics().get(metric);
        return counted == null
                ? new Range(periods, first, last).toBodies(BigDecimal.ZERO)
                : of(history, metric, counted.total(), counted.day(), counted.bucket().change(),
                        new Range(periods, first, last));
    }

    /** @param system its number; the rest as in {@link #ofMetric} */
    public static List<EventSummaryBody> ofPoints(UserState state, UserHistory history, int system, Periods periods,
            int first, int last) {
        PointsState points = state.points().get(system);
        return points == null
                ? new Range(periods, first, last).toBodies(BigDecimal.ZERO)
                : of(history, system, BigDecimal.valueOf(points.total()), points.day(),
                        BigDecimal.valueOf(points.dayChange()), new Range(periods, first, last));
    }

    private static List<EventSummaryBody> of(UserHistory history, int number, BigDecimal total, int newestDay,
            BigDecimal newestChange, Range range) {
        if (newestDay >= range.first) {
            for (Day day : history.days(number, range.first, newestDay - 1)) {
                range.add(day.day(), day.bucket().change());
            }
            range.add(newestDay, newestChange);
        }
        return range.toBodies(total);
    }

    private static final class Range {

        final Periods periods;
        final int first;
        final int last;
        final int firstPeriod;
        final BigDecimal[] changes;
        BigDecimal later = BigDecimal.ZERO;

        Range(Periods periods, int first, int last) {
            this.periods = periods;
            this.first = first;
            this.last = last;
            this.firstPeriod = periods.of(first);
            this.changes = new BigDecimal[periods.of(last) - firstPeriod + 1];
            Arrays.fill(changes, BigDecimal.ZERO);
        }

        /** @param day not before the range */
        void add(int day, BigDecimal change) {
            if (day > last) {
                later = later.add(change);
            } else {
                changes[periods.of(day) - firstPeriod] = changes[periods.of(day) - firstPeriod].add(change);
            }
        }

        /** From the end backwards: the present total is known, that of the past is what has not happened since. */
        List<EventSummaryBody> toBodies(BigDecimal presentTotal) {
            var bodies = new EventSummaryBody[changes.length];
            BigDecimal total = presentTotal.subtract(later);
            for (int i = changes.length - 1; i >= 0; i--) {
                int day = Math.max(first, periods.firstDay(firstPeriod + i));
                bodies[i] = new EventSummaryBody(LocalDate.ofEpochDay(day), Amounts.canonical(total),
                        Amounts.canonical(changes[i]));
                total = total.subtract(changes[i]);
            }
            return List.of(bodies);
        }
    }
}
