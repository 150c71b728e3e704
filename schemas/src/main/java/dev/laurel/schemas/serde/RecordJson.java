package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.Form;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.LooseText;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.Time;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads and writes the records of a {@link Kind} as JSON, token by token. A reader takes the fields in any order, ignores unknown ones,
 * and names an invalid one by its path. A writer writes the fields in the order of the kind, and leaves out what the reader would take
 * for granted. Equal records have equal bytes. The fields of a part whose kind has no name are named alone in messages. Immutable.
 *
 * @param <T> the record
 */
final class RecordJson<T> {

    /** Maximum length of the key of an object of the ruleset. */
    static final int MAX_KEY_LENGTH = 255;

    /** What a component holds if its field is left out, by its type; null for other types. */
    private static final Map<Class<?>, Object> NOTHING = Map.of(
            Change.class,
            Change.keep(),
            List.class,
            List.of(),
            Map.class,
            Map.of(),
            boolean.class,
            false,
            TenantId.class,
            TenantId.NONE);

    /**
     * A component of the record.
     *
     * @param field null: JSON does not have it
     * @param nothing its value if the field is left out
     * @param ofChanges whether its values are changes, of which null is one
     */
    private record Slot(
            int index,
            RecordComponent component,
            @Nullable Field field,
            @Nullable Object nothing,
            boolean ofChanges) {

        boolean isChange() {
            return component.getType() == Change.class;
        }

        /** Whether a record cannot do without the field. */
        boolean isNeeded() {
            return field != null && field.isRequired() && !(nothing instanceof Record);
        }
    }

    /** Collects the fields of one record, in any order. Checks each field when it is read. */
    interface Draft<T> {

        /**
         * Reads a value, which is not null, from its first token, which is current, to its last.
         *
         * @return false, without reading, if this type of record has no such field
         */
        boolean take(String field, JsonParser json) throws BadInputException;

        /** @throws BadInputException naming a missing required field */
        T toRecord() throws BadInputException;
    }

    private final Kind<T> kind;
    private final Class<T> recordType;
    private final Slot[] slots;
    private final List<Slot> written;

    /** Those without which there is no record, in the order in which they are reported. */
    private final List<Slot> needed;

    private final Map<String, Slot> byName = new LinkedHashMap<>();
    private final Map<Kind<?>, RecordJson<?>> parts = new IdentityHashMap<>();

    RecordJson(Kind<T> kind) {
        this.kind = kind;
        this.recordType = Objects.requireNonNull(kind.recordType());
        var fields = new HashMap<String, Field>();
        for (Field field : kind.fields()) {
            fields.put(field.component(), field);
            addParts(field.type());
        }
        RecordComponent[] components = recordType.getRecordComponents();
        this.slots = new Slot[components.length];
        for (int i = 0; i < slots.length; i++) {
            Field field = fields.get(components[i].getName());
            components[i].getAccessor().setAccessible(true); // Spares a check at each read.
            slots[i] = new Slot(
                    i,
                    components[i],
                    field,
                    nothing(components[i], field),
                    components[i].getGenericType().getTypeName().contains(Change.class.getName()));
        }
        for (Field field : kind.fields()) {
            for (Slot slot : slots) {
                if (slot.field == field) {
                    byName.put(field.name(), slot);
                }
            }
        }
        this.written = List.copyOf(byName.values());
        this.needed = Stream.concat(kind.requiredAtCreation().stream().map(byName::get), Stream.of(slots))
                .filter(Slot::isNeeded)
                .distinct()
                .toList();
    }

    private void addParts(Type type) {
        switch (type) {
            case Part(Kind<?> part) -> parts.put(part, new RecordJson<>(part));
            case ListOf list -> addParts(list.item());
            default -> {
                // has no parts
            }
        }
    }

    private @Nullable Object nothing(RecordComponent component, @Nullable Field field) {
        if (field != null && field.type() instanceof Words words && field.initial() != null) {
            return words.document().apply((String) field.initial());
        }
        return field != null && field.type() instanceof Part(Kind<?> part)
                ? part(part).ofNothing()
                : NOTHING.get(component.getType());
    }

    private RecordJson<?> part(Kind<?> part) {
        return Objects.requireNonNull(parts.get(part));
    }

    /** The record without any field; null if it has a required one. */
    private @Nullable T ofNothing() {
        var values = new @Nullable Object[slots.length];
        for (Slot slot : slots) {
            values[slot.index] = slot.nothing;
        }
        return needed.isEmpty() ? Records.make(recordType, values) : null;
    }

    Kind<T> kind() {
        return kind;
    }

    // Reading.

    /** A draft of a record. @param given values of fields that JSON does not give, even if it has them */
    Draft<T> draft(Map<String, ? extends @Nullable Object> given) {
        return new Fields("", given);
    }

    /**
     * Reads the object that begins at the current token.
     *
     * @param prefix prefix of field names in messages, such as {@code user.}
     */
    T read(JsonParser json, String prefix, Map<String, ? extends @Nullable Object> given) throws BadInputException {
        var draft = new Fields(prefix, given);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
            Slot slot = byName.get(name);
            if (isNull && slot != null && slot.field != null && slot.field.isClearable()) {
                draft.values[slot.index] = Change.clear();
            } else if (isNull && (slot == null || slot.field == null || !slot.field.isRequired())
                    || !draft.take(name, json)) {
                json.skipChildren();
            }
        }
        return draft.toRecord();
    }

    private final class Fields implements Draft<T> {

        private final String prefix;
        private final Map<String, ? extends @Nullable Object> given;
        private final @Nullable Object[] values = new @Nullable Object[slots.length];

        Fields(String prefix, Map<String, ? extends @Nullable Object> given) {
            this.prefix = prefix;
            this.given = given;
        }

        @Override
        public boolean take(String name, JsonParser json) throws BadInputException {
            Slot slot = byName.get(name);
            if (slot == null || slot.field == null || given.containsKey(name)) {
                return false;
            }
            String at = prefix.isEmpty() ? name : prefix + name;
            Object value = slot.field.type() instanceof MapOf map
                    ? map(map, slot.ofChanges, json, at)
                    : value(slot.field.type(), json, at);
            for (Function<String, @Nullable String> rule : slot.field.rules()) {
                expectNone(rule.apply((String) value), at);
            }
            values[slot.index] = slot.isChange() ? Change.set(value) : value;
            return true;
        }

        @Override
        public T toRecord() throws BadInputException {
            given.forEach((name, value) -> values[Objects.requireNonNull(byName.get(name)).index] = value);
            for (Slot slot : needed) {
                if (values[slot.index] == null) {
                    Field field = Objects.requireNonNull(slot.field);
                    throw BadInputException.invalid(prefix + field.name(), "is required" + form(field));
                }
            }
            for (Slot slot : slots) {
                if (values[slot.index] == null) {
                    values[slot.index] = slot.nothing;
                }
            }
            return Records.make(recordType, values);
        }
    }

    /** The end of the message about a missing value. */
    private static String form(Field field) {
        if (field.form() != null) {
            return field.form();
        }
        String noun = switch (field.type()) {
            case Text _ -> "a string";
            case Reference(Target target) -> "the key of a " + target.label();
            case Form form -> form.noun();
            case Day _ -> "a date, such as 2026-03-04";
            case Decimal _ -> "a number";
            case Words words -> String.join(" or ", words.words());
            case ListOf list -> form(list);
            case Part _ -> "an object with an id";
            default -> "";
        };
        return noun.isEmpty() ? "" : " and must be " + noun;
    }

    private static String form(ListOf list) {
        return switch (list.item()) {
            case Text _ -> "an array of strings";
            case Form _ -> "an array of UUIDs";
            default -> "an array";
        };
    }

    private Object value(Type type, JsonParser json, String at) throws BadInputException {
        try {
            return switch (type) {
                case Text(int min, int max) -> {
                    String text = max == 0 ? text(json, at) : text(json, at, max);
                    expectNone(text.length() < min ? "must not be empty" : null, at);
                    yield text;
                }
                case Reference _ -> text(json, at, MAX_KEY_LENGTH);
                case LooseText(int max) -> looseText(json, at, max);
                case Words words -> word(words, json, at);
                case Flag() -> bool(json, at);
                case Whole whole -> whole.value(integer(json, at, whole.min(), whole.max()));
                case Decimal decimal -> {
                    BigDecimal number = number(json, at);
                    expectNone(decimal.holds().test(number) ? null : decimal.problem(), at);
                    yield decimal.canonical().apply(number);
                }
                case Day() -> date(json, at);
                case Zone() -> {
                    Object zone = Zones.byName(text(json, at));
                    expectNone(zone == null ? "must be an IANA time zone, such as Europe/Helsinki" : null, at);
                    yield Objects.requireNonNull(zone);
                }
                case Time _ -> Times.parse(text(json, at), at);
                case Form form -> form.reader().apply(text(json, at));
                case ListOf list -> list(list, json, at);
                case Part(Kind<?> part) -> {
                    expect(json, JsonToken.START_OBJECT, "must be an object", at);
                    yield part(part).read(json, part.name().isEmpty() ? "" : at + ".", Map.of());
                }
                case FullText _, TimeOfDay _, MapOf _, Entries _ ->
                    throw new IllegalStateException("no value in records of topics: " + type);
            };
        } catch (IllegalArgumentException e) {
            throw BadInputException.invalid(at, String.valueOf(e.getMessage()));
        }
    }

    private static Object word(Words words, JsonParser json, String at) throws BadInputException {
        String word = text(json, at);
        if (!words.words().contains(word)) {
            // A synonym is accepted, but not recommended.
            List<String> known = words.words().stream()
                    .filter(one ->
                            words.word().apply(words.document().apply(one)).equals(one))
                    .toList();
            throw BadInputException.invalid(at, "is '" + word + "', must be one of: " + String.join(", ", known));
        }
        return words.document().apply(word);
    }

    private Object list(ListOf type, JsonParser json, String at) throws BadInputException {
        expect(json, JsonToken.START_ARRAY, "must be " + form(type), at);
        boolean isNumbered = type.item() instanceof Text || type.item() instanceof Part;
        var items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(type.item(), json, isNumbered ? at + "[" + items.size() + "]" : at));
            expectAtMost(items.size(), type.max(), at);
        }
        return type.isUnique() ? Set.copyOf(items) : List.copyOf(items);
    }

    /** Reads a map. An entry that is null counts as absent, unless it is a change. */
    private Object map(MapOf type, boolean ofChanges, JsonParser json, String at) throws BadInputException {
        expect(json, JsonToken.START_OBJECT, "must be an object", at);
        var entries = new HashMap<Object, Object>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            String entry = at + "." + name;
            Object key = name;
            if (type.key() instanceof Words words) {
                expectNone(
                        words.words().contains(name)
                                ? null
                                : "is no " + type.label() + ", known: " + String.join(", ", words.words()),
                        entry);
                key = words.document().apply(name);
            }
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                Object value = value(type.value(), json, entry);
                entries.put(key, ofChanges ? Change.set(value) : value);
            } else if (ofChanges) {
                entries.put(key, Change.clear());
            }
            expectAtMost(type.max() == 0 ? 0 : entries.size(), type.max(), at);
        }
        return entries;
    }

    private static void expect(JsonParser json, JsonToken token, String problem, String at) throws BadInputException {
        expectNone(json.currentToken() == token ? null : problem, at);
    }

    private static void expectNone(@Nullable String problem, String at) throws BadInputException {
        if (problem != null) {
            throw BadInputException.invalid(at, problem);
        }
    }

    private static void expectAtMost(int size, int max, String field) throws BadInputException {
        expectNone(size > max ? "must have at most " + max + " entries" : null, field);
    }

    static String text(JsonParser json, String field) throws BadInputException {
        expect(json, JsonToken.VALUE_STRING, "must be a string", field);
        String text = json.getString();
        expectNone(UnicodeText.isWellFormed(text) ? null : "must be valid Unicode text", field);
        return text;
    }

    private static String text(JsonParser json, String field, int maxLength) throws BadInputException {
        String text = text(json, field);
        expectNone(text.length() > maxLength ? "must have at most " + maxLength + " characters" : null, field);
        return text;
    }

    private static boolean bool(JsonParser json, String field) throws BadInputException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw BadInputException.invalid(field, "must be true or false");
        };
    }

    private static long integer(JsonParser json, String field, long min, long max) throws BadInputException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            var exact = json.getBigIntegerValue();
            if (exact.bitLength() < 64 && exact.longValue() >= min && exact.longValue() <= max) {
                return exact.longValue();
            }
        }
        throw BadInputException.invalid(field, "must be a whole number from " + min + " to " + max);
    }

    /** Reads any number exactly. JSON does not limit exponents, but {@code BigDecimal} does. */
    private static BigDecimal number(JsonParser json, String field) throws BadInputException {
        expectNone(json.currentToken().isNumeric() ? null : "must be a number", field);
        try {
            return json.getDecimalValue();
        } catch (NumberFormatException _) {
            throw BadInputException.invalid(field, "must be a number whose exponent has at most 9 digits");
        }
    }

    private static LocalDate date(JsonParser json, String field) throws BadInputException {
        String text = text(json, field);
        expectNone(Day.isDay(text) ? null : "is '" + text + "', must be a date, such as 2026-03-04", field);
        return LocalDate.parse(text);
    }

    /** Reads text. Numbers and booleans become text, equal numbers equal text (docs/application-api.md §2). */
    private static String looseText(JsonParser json, String field, int maxLength) throws BadInputException {
        String value = switch (json.currentToken()) {
            case VALUE_TRUE, VALUE_FALSE -> json.getString();
            case VALUE_NUMBER_INT -> json.getString().equals("-0") ? "0" : json.getString();
            case VALUE_NUMBER_FLOAT -> {
                // The text of 5, 5.0 and 5e0 is 5. Before it is written: an exponent of nine digits would take
                // gigabytes.
                BigDecimal number = number(json, field).stripTrailingZeros();
                yield Math.abs((long) number.scale()) > maxLength ? null : number.toPlainString();
            }
            default -> text(json, field);
        };
        if (value == null || value.length() > maxLength) {
            throw BadInputException.invalid(field, "must have at most " + maxLength + " characters");
        }
        return value;
    }

    // Writing.

    /** Writes the fields of a record. */
    void write(JsonGenerator json, Object value) {
        for (Slot slot : written) {
            Field field = Objects.requireNonNull(slot.field);
            Object held = Records.read(slot.component, value);
            if (held != null && (field.isRequired() || field.initial() != null || !held.equals(slot.nothing))) {
                write(json, field.name(), field.type(), held);
            }
        }
    }

    /** Writes a value, or a change to it. */
    private void write(JsonGenerator json, String name, Type type, Object held) {
        if (held instanceof Change.Clear<?>) {
            json.writeNullProperty(name);
        } else {
            json.writeName(name);
            write(json, type, held instanceof Change.Set<?>(Object value) ? value : held);
        }
    }

    private void write(JsonGenerator json, Type type, Object value) {
        switch (type) {
            case Words words -> json.writeString(words.word().apply(value));
            case Flag() -> json.writeBoolean((Boolean) value);
            case Whole _ -> json.writeNumber(((Number) value).longValue());
            case Decimal _ -> json.writeNumber(Json.plain((BigDecimal) value));
            case Time(boolean hasMillis) when hasMillis -> json.writeString(Json.time((Instant) value));
            case ListOf list -> {
                json.writeStartArray();
                Collection<?> items = list.isUnique() ? new TreeSet<>((Set<?>) value) : (List<?>) value;
                items.forEach(item -> write(json, list.item(), item));
                json.writeEndArray();
            }
            case MapOf map -> {
                json.writeStartObject();
                sorted((Map<?, ?>) value)
                        .forEach((key, held) -> write(
                                json,
                                map.key() instanceof Words words ? words.word().apply(key) : key.toString(),
                                map.value(),
                                held));
                json.writeEndObject();
            }
            case Part(Kind<?> part) -> {
                json.writeStartObject();
                part(part).write(json, value);
                json.writeEndObject();
            }
            default -> json.writeString(value.toString());
        }
    }

    /** Sorts a map, so that equal commands have equal bytes: the order of a hash map differs between processes. */
    private static <K, V> Map<K, V> sorted(Map<K, V> map) {
        return map.size() < 2 ? map : new TreeMap<>(map);
    }
}
