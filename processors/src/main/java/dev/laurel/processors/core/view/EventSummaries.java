package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.wire.EventSummaryBody;
import java.time.LocalDate;
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
        return of(CountedDays.ofMetric(state, history, metric, first), periods, first, last);
    }

    /** @param system its number; the rest as in {@link #ofMetric} */
    public static List<EventSummaryBody> ofPoints(UserState state, UserHistory history, int system, Periods periods,
            int first, int last) {
        return of(CountedDays.ofPoints(state, history, system, first), periods, first, last);
    }

    private static List<EventSummaryBody> of(CountedDays days, Periods periods, int first, int last) {
        int firstPeriod = periods.of(first);
        var bodies = new EventSummaryBody[periods.of(last) - firstPeriod + 1];
        for (int i = 0; i < bodies.length; i++) {
            var span = new Span(Math.max(first, periods.firstDay(firstPeriod + i)),
                    Math.min(last, periods.lastDay(firstPeriod + i)));
            bodies[i] = new EventSummaryBody(LocalDate.ofEpochDay(span.first()),
                    Amounts.canonical(days.totalAt(span.last())), Amounts.canonical(days.changeIn(span)));
        }
        return List.of(bodies);
    }
}
