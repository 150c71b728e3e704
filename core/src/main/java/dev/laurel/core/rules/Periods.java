package dev.laurel.core.rules;

import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/**
 * The calendar periods of streaks (docs/semantics.md §5). Consecutive periods have consecutive numbers. Days are epoch days.
 */
public record Periods(StreakFrequency frequency, DayOfWeek weekStart) {

    private static final int DAYS_PER_WEEK = 7;
    private static final int MONTHS_PER_YEAR = 12;

    /**
     * Normalizes the first day of the week, which matters for weeks only, so that its change causes no recount of other
     * streaks.
     */
    public Periods {
        if (frequency != StreakFrequency.WEEKLY) {
            weekStart = DayOfWeek.SUNDAY;
        }
    }

    public int of(int day) {
        return switch (frequency) {
            case DAILY -> day;
            case WEEKLY -> Math.floorDiv(day - firstWeekStart(), DAYS_PER_WEEK);
            case MONTHLY -> {
                LocalDate date = LocalDate.ofEpochDay(day);
                yield (date.getYear() - 1970) * MONTHS_PER_YEAR + date.getMonthValue() - 1;
            }
        };
    }

    public int firstDay(int period) {
        return switch (frequency) {
            case DAILY -> period;
            case WEEKLY -> period * DAYS_PER_WEEK + firstWeekStart();
            case MONTHLY ->
                Math.toIntExact(ChronoUnit.DAYS.between(LocalDate.EPOCH, LocalDate.EPOCH.plusMonths(period)));
        };
    }

    public int lastDay(int period) {
        return firstDay(period + 1) - 1;
    }

    /** The last first day of a week on or before the epoch, a Thursday. */
    private int firstWeekStart() {
        return -Math.floorMod(DayOfWeek.THURSDAY.getValue() - weekStart.getValue(), DAYS_PER_WEEK);
    }
}
