package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object of a request to the admin API. An absent field and one that is null are both read as null,
 * or as an empty list; only {@link #isNull} distinguishes them. Unknown fields are ignored. A value of a wrong type is refused
 * with a message that names the field.
 */
public final class RequestFields {

    /** The longest time until the end of a key. */
    private static final Duration MAX_LIFE = Duration.ofDays(3_660);

    private final Map<?, ?> fields;
    private final String prefix;

    private RequestFields(Map<?, ?> fields, String prefix) {
        this.fields = fields;
        this.prefix = prefix;
    }

    /** @param json see {@link Edit} */
    public static RequestFields of(@Nullable Object json) throws BadInputException {
        if (json instanceof Map<?, ?> fields) {
            return new RequestFields(fields, "");
        }
        throw BadInputException.invalid("The item must be a JSON object.");
    }

    /** The id of an item, which may be malformed; null if the item has none. */
    public static @Nullable String idOf(@Nullable Object json) {
        return json instanceof Map<?, ?> fields && fields.get("id") instanceof String id ? id : null;
    }

    /** Reads the time at which a key ends; null: never. */
    public @Nullable Instant end(String field, Instant now) throws BadInputException {
        String given = text(field);
        if (given == null) {
            return null;
        }
        Instant end = Times.parse(given, field);
        if (!end.isAfter(now) || end.isAfter(now.plus(MAX_LIFE))) {
            throw bad(field, "must be in the future, and at most " + MAX_LIFE.toDays() + " days from now");
        }
        return end;
    }

    /** The names of the present fields, including those that are null. */
    List<String> names(int maxSize) throws BadInputException {
        if (fields.size() > maxSize) {
            String object = prefix.isEmpty() ? "The item" : prefix.substring(0, prefix.length() - 1);
            throw BadInputException.invalid(object + " must have at most " + maxSize + " fields, has " + fields.size());
        }
        return fields.keySet().stream().map(String.class::cast).toList();
    }

    /** All fields as they were given. */
    Map<?, ?> values() {
        return fields;
    }

    /** Whether the field is present, even if it is null. */
    boolean isGiven(String field) {
        return fields.containsKey(field);
    }

    /** Whether the field is present and not null. */
    public boolean has(String field) {
        return fields.get(field) != null;
    }

    /** Whether the field is present and null. */
    boolean isNull(String field) {
        return fields.containsKey(field) && fields.get(field) == null;
    }

    void require(String field) throws BadInputException {
        if (!has(field)) {
            throw bad(field, "is required");
        }
    }

    public @Nullable String text(String field) throws BadInputException {
        return has(field) ? requiredText(field) : null;
    }

    public String requiredText(String field) throws BadInputException {
        require(field);
        if (!(fields.get(field) instanceof String text)) {
            throw bad(field, "must be a string");
        }
        if (!UnicodeText.isWellFormed(text)) {
            throw bad(field, "must be valid Unicode text");
        }
        return text;
    }

    /** Reads a string, or an object as its JSON. */
    @Nullable
    String textOrObject(String field) throws BadInputException {
        return fields.get(field) instanceof Map<?, ?> object ? Json.text(object) : text(field);
    }

    /** Reads one of these words. */
    public @Nullable String word(String field, List<String> allowed) throws BadInputException {
        String word = text(field);
        if (word != null && !allowed.contains(word)) {
            throw bad(field, "is '" + UnicodeText.cut(word, 60) + "', must be one of " + String.join(", ", allowed));
        }
        return word;
    }

    @Nullable
    Boolean bool(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case Boolean bool -> bool;
            default -> throw bad(field, "must be true or false");
        };
    }

    @Nullable
    BigDecimal number(String field) throws BadInputException {
        return has(field) ? requiredNumber(field) : null;
    }

    BigDecimal requiredNumber(String field) throws BadInputException {
        require(field);
        return switch (fields.get(field)) {
            case BigDecimal number -> number;
            case Number number -> new BigDecimal(number.toString());
            case null, default -> throw bad(field, "must be a number");
        };
    }

    /** Reads a whole number, whose range the caller checks; one that is no long becomes the nearest long. */
    @Nullable
    Long whole(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case Integer number -> number.longValue();
            case Long number -> number;
            case BigInteger number -> number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            default -> throw bad(field, "must be a whole number");
        };
    }

    /** Reads a whole number as an int, whose range the caller checks. */
    @Nullable
    Integer integer(String field) throws BadInputException {
        Long whole = whole(field);
        return whole == null ? null : Integer.valueOf(Math.clamp(whole, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    public @Nullable Long whole(String field, long min, long max) throws BadInputException {
        return has(field) ? requiredWhole(field, min, max) : null;
    }

    public long requiredWhole(String field, long min, long max) throws BadInputException {
        require(field);
        Object value = fields.get(field);
        boolean isWhole = value instanceof Integer || value instanceof Long;
        if (isWhole && value instanceof Number number && number.longValue() >= min && number.longValue() <= max) {
            return number.longValue();
        }
        throw bad(field, "must be a whole number from " + min + " to " + max);
    }

    public List<Object> list(String field, int maxSize) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> List.of();
            case List<?> list
            when list.size() > maxSize -> throw bad(field, "must have at most " + maxSize + " entries");
            case List<?> list -> new ArrayList<>(list);
            default -> throw bad(field, "must be an array");
        };
    }

    /** Reads a list of objects. */
    List<RequestFields> objects(String field, int maxSize) throws BadInputException {
        var objects = new ArrayList<RequestFields>();
        for (Object item : list(field, maxSize)) {
            String entry = field + "[" + objects.size() + "]";
            if (!(item instanceof Map<?, ?> object)) {
                throw bad(entry, "must be an object");
            }
            objects.add(new RequestFields(object, prefix + entry + "."));
        }
        return objects;
    }

    List<String> texts(String field, int maxSize) throws BadInputException {
        var texts = new ArrayList<String>();
        for (Object item : list(field, maxSize)) {
            if (!(item instanceof String text) || !UnicodeText.isWellFormed(text)) {
                throw bad(field + "[" + texts.size() + "]", "must be a string");
            }
            texts.add(text);
        }
        return texts;
    }

    @Nullable
    RequestFields object(String field) throws BadInputException {
        return has(field) ? requiredObject(field) : null;
    }

    RequestFields requiredObject(String field) throws BadInputException {
        require(field);
        if (fields.get(field) instanceof Map<?, ?> object) {
            return new RequestFields(object, prefix + field + ".");
        }
        throw bad(field, "must be an object");
    }

    /** A refusal that names this field. */
    public BadInputException bad(String field, String problem) {
        return BadInputException.invalid(prefix + field + " " + problem);
    }
}
