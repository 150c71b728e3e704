package dev.laurel.core.view;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.CountedDays;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.wire.EventBody.EventSummaryBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/**
 * Summarizes a metric or a points system of one user over a range of local dates (docs/application-api.md §4
 * "event-summary"): one entry per period that overlaps the range, even without changes, ascending. The first and the last
 * period are cut to the range. Days are epoch days. Pure; reads the day buckets from the start of the range on.
 */
public final class EventSummaries {

    private EventSummaries() {}

    /** @param metric its number; @param last inclusive, not before {@code first} */
    public static List<EventSummaryBody> ofMetric(
            UserState state, UserHistory history, int metric, Periods periods, int first, int last) {
        return of(CountedDays.ofMetric(state, history, metric, first), periods, first, last);
    }

    /** @param system its number; @param last inclusive, not before {@code first} */
    public static List<EventSummaryBody> ofPoints(
            UserState state, UserHistory history, int system, Periods periods, int first, int last) {
        return of(CountedDays.ofPoints(state, history, system, first), periods, first, last);
    }

    private static List<EventSummaryBody> of(CountedDays days, Periods periods, int first, int last) {
        int firstPeriod = periods.of(first);
        var bodies = new EventSummaryBody[periods.of(last) - firstPeriod + 1];
        for (int i = 0; i < bodies.length; i++) {
            var span = new Span(
                    Math.max(first, periods.firstDay(firstPeriod + i)),
                    Math.min(last, periods.lastDay(firstPeriod + i)));
            var numbers = PeriodNumbers.of(days, span);
            bodies[i] = new EventSummaryBody(LocalDate.ofEpochDay(span.first()), numbers.total(), numbers.change());
        }
        return List.of(bodies);
    }

    /**
     * The total and the change of a period.
     *
     * @param total at its end
     * @param change within it
     */
    record PeriodNumbers(BigDecimal total, BigDecimal change) {

        private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

        PeriodNumbers {
            total = Amounts.canonical(total);
            change = Amounts.canonical(change);
        }

        static PeriodNumbers of(CountedDays days, Span span) {
            return new PeriodNumbers(days.totalAt(span.last()), days.changeIn(span));
        }

        /** The change in percent of the total before, with one decimal; 100 for an increase from zero. */
        BigDecimal percent() {
            BigDecimal percent = Amounts.percent(change, total.subtract(change), 1);
            return percent != null ? percent : change.signum() > 0 ? HUNDRED : BigDecimal.ZERO;
        }
    }
}
