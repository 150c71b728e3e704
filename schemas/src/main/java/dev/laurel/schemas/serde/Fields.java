package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Uuids;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import static java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME;

/** Reads typed values of fields, with messages that name the field. */
final class Fields {

    static final String DATE_FORM = "and must be a date, such as 2026-03-04";

    private static final int DATE_LENGTH = 10;
    private static final int MAX_YEAR = 9999;

    private Fields() {}

    static String text(JsonParser json, String field) throws BadInputException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw BadInputException.invalid(field, "must be a string");
        }
        String text = json.getString();
        if (!UnicodeText.isWellFormed(text)) {
            throw BadInputException.invalid(field, "must be valid Unicode text");
        }
        return text;
    }

    static String text(JsonParser json, String field, int maxLength) throws BadInputException {
        String text = text(json, field);
        if (text.length() > maxLength) {
            throw BadInputException.invalid(field, "must have at most " + maxLength + " characters");
        }
        return text;
    }

    static boolean bool(JsonParser json, String field) throws BadInputException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw BadInputException.invalid(field, "must be true or false");
        };
    }

    static long integer(JsonParser json, String field, long min, long max) throws BadInputException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            var exact = json.getBigIntegerValue();
            if (exact.bitLength() < 64 && exact.longValue() >= min && exact.longValue() <= max) {
                return exact.longValue();
            }
        }
        throw BadInputException.invalid(field, "must be a whole number from " + min + " to " + max);
    }

    /** Reads any number exactly. JSON does not limit exponents, but {@code BigDecimal} does. */
    static BigDecimal number(JsonParser json, String field) throws BadInputException {
        if (!json.currentToken().isNumeric()) {
            throw BadInputException.invalid(field, "must be a number");
        }
        try {
            return json.getDecimalValue();
        } catch (NumberFormatException _) {
            throw BadInputException.invalid(field, "must be a number whose exponent has at most 9 digits");
        }
    }

    /** Reads a number within the bounds of {@link Amounts}, in its canonical form. */
    static BigDecimal amount(JsonParser json, String field) throws BadInputException {
        return amount(number(json, field), field);
    }

    static BigDecimal amount(BigDecimal number, String field) throws BadInputException {
        String problem = Amounts.problemWith(number);
        if (problem != null) {
            throw BadInputException.invalid(field, problem);
        }
        return Amounts.canonical(number);
    }

    static LocalDate date(JsonParser json, String field) throws BadInputException {
        String text = text(json, field);
        try {
            if (text.length() == DATE_LENGTH) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException _) {
            // reported below
        }
        throw BadInputException.invalid(field, "is '" + text + "', must be a date, such as 2026-03-04");
    }

    /** Reads a date, or a date and time with an offset. */
    static SignUp signUp(JsonParser json, String field) throws BadInputException {
        String text = text(json, field);
        try {
            if (text.length() == DATE_LENGTH) {
                LocalDate date = LocalDate.parse(text);
                if (hasPlainYear(date)) {
                    return new SignUp.OnDate(date);
                }
            } else {
                Instant time = ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
                LocalDate date = LocalDate.ofInstant(time, ZoneOffset.UTC);
                // In a zone it may be a day earlier or later.
                if (hasPlainYear(date.minusDays(1)) && hasPlainYear(date.plusDays(1))) {
                    return new SignUp.AtTime(time);
                }
            }
        } catch (DateTimeException _) {
            // reported below
        }
        throw BadInputException.invalid(field, "is '" + text
                + "', must be a date, such as 2026-03-04, or a date and time with offset, such as 2026-03-04T09:15:00Z");
    }

    /** Other years have a sign, and could not be read back. */
    private static boolean hasPlainYear(LocalDate date) {
        return date.getYear() >= 0 && date.getYear() <= MAX_YEAR;
    }

    static void expectOrder(LocalDate start, LocalDate end) throws BadInputException {
        if (end.isBefore(start)) {
            throw new BadInputException(Refusal.endBeforeStart());
        }
    }

    static UUID uuid(JsonParser json, String field) throws BadInputException {
        UUID id = Uuids.parse(text(json, field));
        if (id == null) {
            throw BadInputException.invalid(field, "must be a UUID");
        }
        return id;
    }

    /**
     * Reads the next token as the value of an attribute. Numbers and booleans become text, equal numbers equal text (docs/application-api.md §2).
     *
     * @return null if the value is null, which removes the attribute
     */
    static @Nullable String attributeValue(JsonParser json, String field) throws BadInputException {
        String value = switch (json.nextToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> text(json, field);
            case VALUE_TRUE, VALUE_FALSE -> json.getString();
            case VALUE_NUMBER_INT -> json.getString().equals("-0") ? "0" : json.getString();
            case VALUE_NUMBER_FLOAT -> plain(number(json, field), field);
            default -> throw BadInputException.invalid(field, "must be a string");
        };
        if (value != null && value.length() > UserChangeJson.MAX_ATTRIBUTE_LENGTH) {
            throw attributeTooLong(field);
        }
        return value;
    }

    /** The text of a number without exponent and trailing zeros: that of 5, 5.0 and 5e0 is {@code 5}. */
    private static String plain(BigDecimal number, String field) throws BadInputException {
        BigDecimal stripped = number.stripTrailingZeros();
        // Before it is written: an exponent of nine digits would take gigabytes.
        if (Math.abs((long) stripped.scale()) > UserChangeJson.MAX_ATTRIBUTE_LENGTH) {
            throw attributeTooLong(field);
        }
        return stripped.toPlainString();
    }

    private static BadInputException attributeTooLong(String field) {
        return BadInputException.invalid(field,
                "must have at most " + UserChangeJson.MAX_ATTRIBUTE_LENGTH + " characters");
    }

    /** @param form the form of the field for the message; may be empty */
    static <T> T required(@Nullable T value, String field, String form) throws BadInputException {
        if (value == null) {
            throw BadInputException.invalid(field, form.isEmpty() ? "is required" : "is required " + form);
        }
        return value;
    }

    static void expectAtMost(int size, int max, String field) throws BadInputException {
        if (size > max) {
            throw BadInputException.invalid(field, "must have at most " + max + " entries");
        }
    }
}
