package dev.laurel.query.analytics;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;

/**
 * The days of a report and the periods into which they are divided. Days are epoch days.
 *
 * @param to the last day
 * @param weekStartsOn the first day of a week
 */
record Window(int from, int to, Granularity granularity, DayOfWeek weekStartsOn) {

    /** The length of the periods. */
    enum Granularity {
        DAY,
        WEEK,
        MONTH
    }

    /** The longest windows that {@link #readable} divides into days, and into weeks. */
    private static final int MAX_DAYS = 31;

    private static final int MAX_WEEKS = 26;

    /** A window with few periods: days of a month at most, weeks of half a year at most, else months. */
    static Window readable(int from, int to, DayOfWeek weekStartsOn) {
        int days = to - from + 1;
        Granularity granularity = days <= MAX_DAYS
                ? Granularity.DAY
                : days <= MAX_WEEKS * DayOfWeek.values().length ? Granularity.WEEK : Granularity.MONTH;
        return new Window(from, to, granularity, weekStartsOn);
    }

    /** Days of the window that are reported together. The first and the last period may be shorter than the others. */
    record Period(int first, int last) {

        int days() {
            return last - first + 1;
        }
    }

    int days() {
        return to - from + 1;
    }

    List<Period> periods() {
        var periods = new ArrayList<Period>();
        for (int first = from; first <= to; ) {
            int last = Math.min(to, lastOfPeriod(first));
            periods.add(new Period(first, last));
            first = last + 1;
        }
        return periods;
    }

    private int lastOfPeriod(int day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        LocalDate last = switch (granularity) {
            case DAY -> date;
            case WEEK -> date.with(TemporalAdjusters.nextOrSame(weekStartsOn.minus(1)));
            case MONTH -> date.with(TemporalAdjusters.lastDayOfMonth());
        };
        return Math.toIntExact(last.toEpochDay());
    }
}
