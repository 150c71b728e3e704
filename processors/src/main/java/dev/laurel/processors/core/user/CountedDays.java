package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.user.UserHistory.Day;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The days on which something happened to a metric or a points system of one user, from a first day on, and what it comes to
 * in all. What it came to in the past is the present less what has happened since. Immutable.
 */
public final class CountedDays {

    /** Nothing ever happened. */
    private static final CountedDays NONE = new CountedDays(List.of(), BigDecimal.ZERO);

    private final List<Day> days;

    /** Up to each day, that one included. */
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
        return counted == null ? NONE : of(history, metric, counted.total(), counted.day(), counted.bucket(), first);
    }

    /** @param system its number; @param first day of interest */
    public static CountedDays ofPoints(UserState state, UserHistory history, int system, int first) {
        PointsState points = state.points().get(system);
        if (points == null) {
            return NONE;
        }
        BigDecimal change = BigDecimal.valueOf(points.dayChange());
        return of(history, system, BigDecimal.valueOf(points.total()), points.day(),
                DayBucket.uncounted(change, change.signum() > 0), first);
    }

    private static CountedDays of(UserHistory history, int number, BigDecimal total, int newestDay, DayBucket newest,
            int first) {
        if (newestDay < first) {
            return new CountedDays(List.of(), total);
        }
        var days = new ArrayList<Day>(history.days(number, first, newestDay - 1));
        days.add(new Day(newestDay, newest));
        return new CountedDays(days, total);
    }

    /** By day. */
    public List<Day> days() {
        return days;
    }

    /** Whether anything happened on these days. */
    public boolean hasAny(Span span) {
        return countTo(span.last()) > countTo(span.first() - 1);
    }

    /** What it came to at the end of a day that is not before the day before the first. */
    public BigDecimal totalAt(int day) {
        return totals[countTo(day)];
    }

    public BigDecimal changeIn(Span span) {
        return totalAt(span.last()).subtract(totalAt(span.first() - 1));
    }

    /** How many days there are up to this one. */
    private int countTo(int day) {
        int low = 0;
        int high = days.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (days.get(middle).day() <= day) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
