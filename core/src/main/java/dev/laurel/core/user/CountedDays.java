package dev.laurel.core.user;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.user.UserHistory.Day;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The days on which a metric or a points system of one user changed, from a first day on, and the total at the end of each.
 * A past total is computed from the present total and the changes since. Immutable.
 */
public final class CountedDays {

    private static final CountedDays NONE = new CountedDays(List.of(), BigDecimal.ZERO);

    private final List<Day> days;

    /** The total before the first day, then the total at the end of each day. */
    private final BigDecimal[] totals;

    private CountedDays(List<Day> days, BigDecimal total) {
        this.days = days;
        this.totals = new BigDecimal[days.size() + 1];
        BigDecimal then = total;
        for (int i = days.size(); i > 0; i--) {
            totals[i] = then;
            then = then.subtract(days.get(i - 1).bucket().change());
        }
        totals[0] = then;
    }

    /** @param metric its number; @param first day of interest */
    public static CountedDays ofMetric(UserState state, UserHistory history, int metric, int first) {
        MetricState counted = state.metrics().get(metric);
        return counted == null
                ? NONE
                : new CountedDays(counted.days(metric, history, first, Integer.MAX_VALUE), counted.total());
    }

    /** @param system its number; @param first day of interest */
    public static CountedDays ofPoints(UserState state, UserHistory history, int system, int first) {
        PointsState points = state.points().get(system);
        return points == null
                ? NONE
                : new CountedDays(
                        points.days(system, history, first, Integer.MAX_VALUE), BigDecimal.valueOf(points.total()));
    }

    /** The days, ascending. */
    public List<Day> days() {
        return days;
    }

    /** Whether any of these days has a change. */
    public boolean hasAny(Span span) {
        return countTo(span.last()) > countTo(span.first() - 1);
    }

    /** The total at the end of a day, which must not be earlier than the day before the first. */
    public BigDecimal totalAt(int day) {
        return totals[countTo(day)];
    }

    public BigDecimal changeIn(Span span) {
        return totalAt(span.last()).subtract(totalAt(span.first() - 1));
    }

    /** The number of days with changes up to this one. */
    private int countTo(int day) {
        int at = Collections.binarySearch(days, new Day(day, DayBucket.NONE), Comparator.comparingInt(Day::day));
        return at < 0 ? -at - 1 : at + 1;
    }
}
