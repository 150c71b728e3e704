package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.UnicodeText;
import java.util.UUID;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Typed reading of one field's value, with messages that name the field. */
final class Fields {

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

    static UUID uuid(JsonParser json, String field) throws BadInputException {
        String text = text(json, field);
        try {
            UUID id = UUID.fromString(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException _) {
            // said below, in our words
        }
        throw BadInputException.invalid(field, "must be a UUID");
    }

    /**
     * Moves on to an attribute's value and reads it: strings as they are, numbers and booleans as text
     * (application-api.md §2).
     *
     * @return null if the value is null, which removes the attribute
     */
    static String attributeValue(JsonParser json, String field) throws BadInputException {
        String value = switch (json.nextToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> text(json, field);
            case VALUE_TRUE, VALUE_FALSE, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getString();
            default -> throw BadInputException.invalid(field, "must be a string");
        };
        if (value != null && value.length() > UserChangeJson.MAX_ATTRIBUTE_LENGTH) {
            throw BadInputException.invalid(field,
                    "must have at most " + UserChangeJson.MAX_ATTRIBUTE_LENGTH + " characters");
        }
        return value;
    }

    static void expectAtMost(int size, int max, String field) throws BadInputException {
        if (size > max) {
            throw BadInputException.invalid(field, "must have at most " + max + " entries");
        }
    }
}
