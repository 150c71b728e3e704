package dev.laurel.core.user;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDaysTest {

    @ParameterizedTest
    @CsvSource({
        "2026-03-04T09:59:59.999Z, Pacific/Kiritimati, 2026-03-04",
        "2026-03-04T10:00:00Z, Pacific/Kiritimati, 2026-03-05",
        "2026-03-04T10:59:59Z, Pacific/Pago_Pago, 2026-03-03",
        "2026-03-04T11:00:00Z, Pacific/Pago_Pago, 2026-03-04",
        "2026-03-04T18:15:00Z, Asia/Kathmandu, 2026-03-05",
        "2026-03-04T18:14:59Z, Asia/Kathmandu, 2026-03-04",
        "1969-12-31T23:59:59Z, UTC, 1969-12-31",
        "1970-01-01T00:00:00.001Z, America/New_York, 1969-12-31"
    })
    void shouldComputeTheDateOfAMoment(String at, String zone, String date) {
        assertEquals(date, dateOf(at, zone));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-04, Europe/Helsinki, 2026-03-03T22:00:00Z",
        "2026-07-04, Europe/Helsinki, 2026-07-03T21:00:00Z",
        // Clocks jumped from 00:00 to 01:00: the date begins at 01:00.
        "2018-11-04, America/Sao_Paulo, 2018-11-04T03:00:00Z",
        "2024-03-31, Asia/Beirut, 2024-03-30T22:00:00Z",
        // Clocks went back from 00:00 to 23:00 of the day before, which was one hour longer.
        "2018-02-18, America/Sao_Paulo, 2018-02-18T03:00:00Z",
        // 01:00 happened twice: the date begins with its first 00:00.
        "2026-10-25, Atlantic/Azores, 2026-10-25T00:00:00Z",
        // The date did not exist: it begins when the next one does.
        "2011-12-30, Pacific/Apia, 2011-12-30T10:00:00Z",
        "2011-12-31, Pacific/Apia, 2011-12-30T10:00:00Z"
    })
    void shouldComputeTheBeginningOfADate(String date, String zone, String begins) {
        long startMs = LocalDays.startOf((int) LocalDate.parse(date).toEpochDay(), ZoneId.of(zone));

        assertEquals(Instant.parse(begins), Instant.ofEpochMilli(startMs));
    }

    @ParameterizedTest
    @CsvSource({
        "2018-11-04, America/Sao_Paulo",
        "2018-02-18, America/Sao_Paulo",
        "2024-03-31, Asia/Beirut",
        "2026-03-29, Europe/Helsinki",
        "2026-10-25, Atlantic/Azores",
        "2011-12-31, Pacific/Apia"
    })
    void shouldHaveTheDayBeforeUntilTheLastMillisecond(String date, String zone) {
        int day = (int) LocalDate.parse(date).toEpochDay();
        ZoneId place = ZoneId.of(zone);
        long startMs = LocalDays.startOf(day, place);

        assertEquals(day, LocalDays.dayOf(startMs, place));
        int before = LocalDays.dayOf(startMs - 1, place);
        assertEquals(date.equals("2011-12-31") ? day - 2 : day - 1, before);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-04, 09:00, Europe/Helsinki, 2026-03-04T07:00:00Z",
        "2026-03-29, 09:00, Europe/Helsinki, 2026-03-29T06:00:00Z",
        // Clocks jump from 03:00 to 04:00.
        "2026-03-29, 02:59:59, Europe/Helsinki, 2026-03-29T00:59:59Z",
        "2026-03-29, 03:30, Europe/Helsinki, 2026-03-29T01:00:00Z",
        "2026-03-29, 04:00, Europe/Helsinki, 2026-03-29T01:00:00Z",
        // Clocks go back from 04:00 to 03:00: the earlier of the two.
        "2026-10-25, 03:30, Europe/Helsinki, 2026-10-25T00:30:00Z",
        "2026-10-25, 04:00, Europe/Helsinki, 2026-10-25T02:00:00Z",
        "2026-03-08, 02:30, America/Los_Angeles, 2026-03-08T10:00:00Z",
        "2026-09-27, 09:00, Pacific/Auckland, 2026-09-26T20:00:00Z",
        // The date did not exist.
        "2011-12-30, 09:00, Pacific/Apia, 2011-12-30T10:00:00Z"
    })
    void shouldComputeTheMomentOfALocalTime(String date, LocalTime time, String zone, Instant moment) {
        long momentMs = LocalDays.momentOf((int) LocalDate.parse(date).toEpochDay(), time, ZoneId.of(zone));

        assertEquals(moment, Instant.ofEpochMilli(momentMs));
    }

    @Test
    void shouldSkipTheDateThatSamoaLeftOut() {
        assertEquals("2011-12-29", dateOf("2011-12-30T09:59:59.999Z", "Pacific/Apia"));
        assertEquals("2011-12-31", dateOf("2011-12-30T10:00:00Z", "Pacific/Apia"));
    }

    private static String dateOf(String at, String zone) {
        return LocalDate.ofEpochDay(LocalDays.dayOf(Instant.parse(at).toEpochMilli(), ZoneId.of(zone)))
                .toString();
    }
}
