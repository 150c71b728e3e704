package dev.laurel.core.rules;

import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.time.DayOfWeek;
import java.time.LocalDate;

/**
 * A calendar year with its weeks and months. Days are epoch days. The first week begins on 1 January and the last one ends on
 * 31 December: each day of the year, and no other day, is in exactly one week.
 */
public final class CalendarYear {

    public static final int MONTHS = 12;

    /** The largest number of weeks in a year: 366 days, of which the first and the last are weeks of one day. */
    public static final int MAX_WEEKS = 54;

    /** @param last inclusive */
    public record Span(int first, int last) {

        public boolean contains(int day) {
            return day >= first && day <= last;
        }
    }

    private final int year;
    private final Span whole;
    private final Periods weeks;

    public CalendarYear(int year, DayOfWeek weekStart) {
        this.year = year;
        this.whole = new Span(dayOf(LocalDate.of(year, 1, 1)), dayOf(LocalDate.of(year, MONTHS, 31)));
        this.weeks = new Periods(StreakFrequency.WEEKLY, weekStart);
    }

    private static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    public int year() {
        return year;
    }

    public DayOfWeek weekStart() {
        return weeks.weekStart();
    }

    public Span whole() {
        return whole;
    }

    /** The number of the week of a day of the year, 0 the first. */
    public int weekOf(int day) {
        return weeks.of(day) - weeks.of(whole.first());
    }

    /** @param week as {@link #weekOf} numbers them */
    public Span week(int week) {
        int number = weeks.of(whole.first()) + week;
        return new Span(Math.max(whole.first(), weeks.firstDay(number)), Math.min(whole.last(), weeks.lastDay(number)));
    }

    /** The month of a day of the year, 0 for January. */
    public int monthOf(int day) {
        return LocalDate.ofEpochDay(day).getMonthValue() - 1;
    }

    /** @param month 0 for January */
    public Span month(int month) {
        LocalDate first = LocalDate.of(year, month + 1, 1);
        return new Span(dayOf(first), dayOf(first.plusMonths(1)) - 1);
    }
}
