package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One JSON object of a request to the admin API, read field by field. A field that is not given and one that is null read
 * alike, as null, where {@link #isNull} does not ask; unknown fields are nobody's business. What has the wrong type is refused
 * with a message that names the field.
 */
public final class RequestFields {

    private final Map<?, ?> fields;
    private final String prefix;

    private RequestFields(Map<?, ?> fields, String prefix) {
        this.fields = fields;
        this.prefix = prefix;
    }

    /** @param json see {@link Edit} */
    public static RequestFields of(Object json) throws BadInputException {
        if (json instanceof Map<?, ?> fields) {
            return new RequestFields(fields, "");
        }
        throw new BadInputException(Refusal.invalid("The item must be a JSON object."));
    }

    /** The names of the fields that are given. */
    public List<String> names(int maxSize) throws BadInputException {
        if (fields.size() > maxSize) {
            throw new BadInputException(
                    Refusal.invalid(prefix + "… must be at most " + maxSize + " fields"));
        }
        return fields.keySet().stream().map(String.class::cast).toList();
    }

    /** Given, and not null. */
    public boolean has(String field) {
        return fields.get(field) != null;
    }

    /** Given as null. */
    public boolean isNull(String field) {
        return fields.containsKey(field) && fields.get(field) == null;
    }

    public String text(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case String text when UnicodeText.isWellFormed(text) -> text;
            case String _ -> throw bad(field, "must be valid Unicode text");
            default -> throw bad(field, "must be a string");
        };
    }

    /** A string, or an object as the JSON that it is. */
    String textOrObject(String field) throws BadInputException {
        return fields.get(field) instanceof Map<?, ?> object ? new String(Json.write(object), UTF_8) : text(field);
    }

    public String requiredText(String field) throws BadInputException {
        require(field);
        return text(field);
    }

    /** One of these words. */
    public String word(String field, String... allowed) throws BadInputException {
        String word = text(field);
        if (word != null && !List.of(allowed).contains(word)) {
            throw bad(field, "is '" + UnicodeText.cut(word, 60) + "', must be one of " + String.join(", ", allowed));
        }
        return word;
    }

    public Boolean bool(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case Boolean bool -> bool;
            default -> throw bad(field, "must be true or false");
        };
    }

    public BigDecimal number(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case BigDecimal number -> number;
            case BigInteger number -> new BigDecimal(number);
            case Integer number -> BigDecimal.valueOf(number);
            case Long number -> BigDecimal.valueOf(number);
            default -> throw bad(field, "must be a number");
        };
    }

    /** A whole number; its range is for others to judge. */
    public Long whole(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case Integer number -> number.longValue();
            case Long number -> number;
            case BigInteger _ -> throw bad(field, "is out of range");
            case null -> null;
            default -> throw bad(field, "must be a whole number");
        };
    }

    /** A whole number of a count; its range is for others to judge. */
    public Integer integer(String field) throws BadInputException {
        Long whole = whole(field);
        return whole == null ? null : Integer.valueOf(Math.clamp(whole, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    /** A whole number from {@code min} to {@code max}. */
    public Long whole(String field, long min, long max) throws BadInputException {
        BigInteger whole = switch (fields.get(field)) {
            case null -> null;
            case Integer number -> BigInteger.valueOf(number);
            case Long number -> BigInteger.valueOf(number);
            case BigInteger number -> number;
            default -> throw bad(field, "must be a whole number from " + min + " to " + max);
        };
        if (whole != null
                && (whole.bitLength() > 63 || whole.longValue() < min || whole.longValue() > max)) {
            throw bad(field, "must be a whole number from " + min + " to " + max);
        }
        return whole == null ? null : whole.longValue();
    }

    public Integer integer(String field, int min, int max) throws BadInputException {
        Long whole = whole(field, min, max);
        return whole == null ? null : whole.intValue();
    }

    public UUID uuid(String field) throws BadInputException {
        String text = text(field);
        return text == null ? null : parse(text, prefix + field);
    }

    /** @param key of the object that the id in this field names, null if there is none */
    String known(String field, UUID id, String key, String kind) throws BadInputException {
        if (key == null) {
            throw bad(field, "is " + id + ", which is no " + kind);
        }
        return key;
    }

    /** Null if it is not given. */
    public List<Object> list(String field, int maxSize) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case List<?> list when list.size() > maxSize ->
                throw bad(field, "must have at most " + maxSize + " entries");
            case List<?> list -> new ArrayList<>(list);
            default -> throw bad(field, "must be an array");
        };
    }

    /** A list of objects, null if it is not given. */
    public List<RequestFields> items(String field, int maxSize) throws BadInputException {
        List<Object> list = list(field, maxSize);
        if (list == null) {
            return null;
        }
        var items = new ArrayList<RequestFields>();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof Map<?, ?> entry)) {
                throw bad(field + "[" + i + "]", "must be an object");
            }
            items.add(new RequestFields(entry, prefix + field + "[" + i + "]."));
        }
        return items;
    }

    /** A list of strings, null if it is not given. */
    public List<String> texts(String field, int maxSize) throws BadInputException {
        List<Object> list = list(field, maxSize);
        if (list == null) {
            return null;
        }
        var texts = new ArrayList<String>();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof String text) || !UnicodeText.isWellFormed(text)) {
                throw bad(field + "[" + i + "]", "must be a string");
            }
            texts.add(text);
        }
        return texts;
    }

    /** An object, null if it is not given. */
    public RequestFields object(String field) throws BadInputException {
        return switch (fields.get(field)) {
            case null -> null;
            case Map<?, ?> object -> new RequestFields(object, prefix + field + ".");
            default -> throw bad(field, "must be an object");
        };
    }

    public void require(String field) throws BadInputException {
        if (!has(field)) {
            throw bad(field, "is required");
        }
    }

    /** A refusal that names this field. */
    public BadInputException bad(String field, String problem) {
        return new BadInputException(Refusal.invalid(prefix + field + " " + problem));
    }

    private static UUID parse(String text, String field) throws BadInputException {
        UUID id = Uuids.parse(text);
        if (id == null) {
            throw new BadInputException(Refusal.invalid(field + " must be a valid UUID"));
        }
        return id;
    }
}
