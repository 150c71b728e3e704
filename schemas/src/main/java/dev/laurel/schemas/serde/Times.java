package dev.laurel.schemas.serde;

import dev.laurel.schemas.input.BadInputException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** Reads times of foreign input. */
public final class Times {

    private Times() {}

    /** Reads a date and time with an offset, truncated to milliseconds. */
    public static Instant parse(String text, String field) throws BadInputException {
        try {
            Instant time = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
            return Instant.ofEpochMilli(time.toEpochMilli());
        } catch (DateTimeException | ArithmeticException _) {
            throw BadInputException.invalid(field,
                    "must be a date and time with offset, such as 2026-03-04T09:15:00Z, is '" + text + "'");
        }
    }
}
