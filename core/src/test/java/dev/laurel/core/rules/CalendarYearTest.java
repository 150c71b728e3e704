package dev.laurel.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.rules.CalendarYear.Span;
import java.time.DayOfWeek;
import java.time.LocalDate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CalendarYearTest {

    /** 2400 is a leap year of a whole century; 1 and 1969 are before the epoch. */
    private static final int[] YEARS = {1, 1969, 1970, 2000, 2023, 2024, 2025, 2026, 2028, 2400, 9999};

    @ParameterizedTest
    @EnumSource(
            value = DayOfWeek.class,
            names = {"SUNDAY", "MONDAY"})
    void shouldPutEveryDayIntoOneWeekAndOneMonthOfItsYear(DayOfWeek weekStart) {
        for (int number : YEARS) {
            var year = new CalendarYear(number, weekStart);
            Span whole = year.whole();
            assertEquals(LocalDate.of(number, 1, 1).lengthOfYear(), whole.last() - whole.first() + 1);
            int week = 0;
            for (int day = whole.first(); day <= whole.last(); day++) {
                LocalDate date = LocalDate.ofEpochDay(day);
                if (day > whole.first() && date.getDayOfWeek() == weekStart) {
                    week++;
                }
                assertEquals(week, year.weekOf(day), date::toString);
                assertTrue(year.week(week).contains(day), date::toString);
                assertEquals(date.getMonthValue() - 1, year.monthOf(day));
                assertTrue(year.month(year.monthOf(day)).contains(day), date::toString);
            }
            assertTrue(week < CalendarYear.MAX_WEEKS);
            assertEquals(whole.first(), year.week(0).first());
            assertEquals(whole.last(), year.week(week).last());
            assertEquals(whole.last(), year.month(11).last());
        }
    }
}
