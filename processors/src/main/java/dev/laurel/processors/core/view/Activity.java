package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CalendarYear;
import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.processors.core.user.UserHistory.Day;
import java.util.Collection;
import java.util.function.IntUnaryOperator;

/** On which days of a year a user was active, and how much: every metric event counts, whatever its value. */
final class Activity {

    private final CalendarYear year;
    private final long[] days;
    private final long[] weeks;
    private final long[] months;

    /** @param metrics all that the user has */
    Activity(CalendarYear year, Collection<CountedDays> metrics) {
        Span whole = year.whole();
        this.year = year;
        this.days = new long[whole.last() - whole.first() + 1];
        for (CountedDays metric : metrics) {
            for (Day day : metric.days()) {
                if (whole.contains(day.day())) {
                    days[day.day() - whole.first()] += day.bucket().events();
                }
            }
        }
        this.weeks = summed(year::weekOf);
        this.months = summed(year::monthOf);
    }

    /** @param periodOf the number of the period of a day */
    private long[] summed(IntUnaryOperator periodOf) {
        int first = year.whole().first();
        var sums = new long[periodOf.applyAsInt(year.whole().last()) + 1];
        for (int i = 0; i < days.length; i++) {
            sums[periodOf.applyAsInt(first + i)] += days[i];
        }
        return sums;
    }

    boolean isNone() {
        return daysActive() == 0;
    }

    int daysActive() {
        return active(days);
    }

    int weeksActive() {
        return active(weeks);
    }

    int monthsActive() {
        return active(months);
    }

    private static int active(long[] periods) {
        int active = 0;
        for (long events : periods) {
            active += events > 0 ? 1 : 0;
        }
        return active;
    }

    /** The first day of the year if there was no activity, as are week and month. */
    Span mostActiveDay() {
        int day = year.whole().first() + most(days);
        return new Span(day, day);
    }

    /** The first seven days if there was no activity. */
    Span mostActiveWeek() {
        int first = year.whole().first();
        return isNone() ? new Span(first, first + 6) : year.week(most(weeks));
    }

    /** Its number, 0 for January. */
    int mostActiveMonth() {
        return most(months);
    }

    /** The earliest of those with the most events. */
    private static int most(long[] periods) {
        int most = 0;
        for (int i = 1; i < periods.length; i++) {
            if (periods[i] > periods[most]) {
                most = i;
            }
        }
        return most;
    }
}
