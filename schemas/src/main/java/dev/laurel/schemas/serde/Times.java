package dev.laurel.schemas.serde;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Reads times of foreign input. */
public final class Times {

    /** The times that can be written with a year of four digits. */
    public static final Instant MIN = Instant.parse("0001-01-01T00:00:00Z");

    public static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999Z");

    private static final int MAX_SHOWN = 60;

    private Times() {}

    /** Reads a date and time with an offset in the years 1 to 9999, truncated to milliseconds. */
    public static Instant parse(String text, String field) throws BadInputException {
        return parseExact(text, field).truncatedTo(ChronoUnit.MILLIS);
    }

    /** Reads a date and time with an offset in the years 1 to 9999. */
    public static Instant parseExact(String text, String field) throws BadInputException {
        try {
            Instant time = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
            if (time.isBefore(MIN) || time.truncatedTo(ChronoUnit.MILLIS).isAfter(MAX)) {
                throw bad(field, "must be in the years 0001 to 9999", text);
            }
            return time;
        } catch (DateTimeException _) {
            throw bad(field, "must be a date and time with offset, such as 2026-03-04T09:15:00Z", text);
        }
    }

    private static BadInputException bad(String field, String rule, String text) {
        return BadInputException.invalid(field, rule + ", is '" + UnicodeText.cut(text, MAX_SHOWN) + "'");
    }
}
