package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.schemas.ruleset.Notifications.RecapPeriod;
import dev.laurel.schemas.ruleset.StreakFrequency;
import java.time.DayOfWeek;
import java.time.LocalDate;

/** The calendar periods that recaps tell of (admin-api.md B4 {@code recapPeriod}). Days are epoch days. */
public record RecapPeriods(RecapPeriod period, DayOfWeek weekStart) {

    /** The first day of the week makes a difference to weeks only. */
    public RecapPeriods {
        if (period != RecapPeriod.WEEKLY) {
            weekStart = DayOfWeek.SUNDAY;
        }
    }

    /** The period that a day lies in. */
    public Span of(int day) {
        return switch (period) {
            case DAILY -> new Span(day, day);
            case WEEKLY -> of(new Periods(StreakFrequency.WEEKLY, weekStart), day);
            case MONTHLY -> of(new Periods(StreakFrequency.MONTHLY, weekStart), day);
            case YEARLY -> new CalendarYear(LocalDate.ofEpochDay(day).getYear(), weekStart).whole();
        };
    }

    private static Span of(Periods periods, int day) {
        int number = periods.of(day);
        return new Span(periods.firstDay(number), periods.lastDay(number));
    }
}
