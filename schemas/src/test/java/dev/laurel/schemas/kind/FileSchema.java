package dev.laurel.schemas.kind;

import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.kind.Type.Decimal;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Flag;
import dev.laurel.schemas.kind.Type.FullText;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.OfRecord;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Text;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.kind.Type.Whole;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.kind.Type.Zone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Derives the JSON Schema of the ruleset file from a kind. An instance serves one schema. */
final class FileSchema {

    private static final String OBJECT_KEY = "^[A-Za-z0-9_-]{1,255}$";
    private static final String DAY = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
    private static final String TIME = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$";
    private static final String UUID = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$";

    /** Number of equal schemas of a field from which a definition replaces them. */
    private static final int MIN_SHARED = 3;

    private final Map<String, Object> definitions = new LinkedHashMap<>();

    private FileSchema() {}

    static Map<String, Object> of(Kind<?> root, String title) {
        var schema = new FileSchema();
        schema.definitions.put("key", ordered("type", "string", "pattern", OBJECT_KEY));
        schema.definitions.put(
                "id",
                ordered(
                        "description",
                        "The id in API answers, unique in the ruleset. Left out: derived from kind and key, so the"
                                + " same file gives the same ids everywhere.",
                        "type",
                        "string",
                        "pattern",
                        UUID));
        var whole = ordered("$schema", "https://json-schema.org/draft/2020-12/schema", "title", title);
        whole.putAll(schema.object(root));
        whole.put("type", "object");
        whole.put("$defs", schema.definitions);
        var uses = new HashMap<Map.Entry<String, Object>, Integer>();
        count(whole, uses);
        var definitions = new LinkedHashMap<String, Object>(schema.definitions);
        Map<String, Object> shared = share(whole, uses, definitions);
        schema.definitions.forEach((name, kind) ->
                definitions.put(name, kind instanceof Map<?, ?> object ? share(object, uses, definitions) : kind));
        shared.put("$defs", definitions);
        return shared;
    }

    /** Counts the equal schemas of fields with the same name. */
    private static void count(Object schema, Map<Map.Entry<String, Object>, Integer> uses) {
        if (!(schema instanceof Map<?, ?> keywords)) {
            return;
        }
        keywords.forEach((keyword, value) -> {
            if (keyword.equals("properties")) {
                ((Map<?, ?>) value)
                        .forEach((name, field) -> uses.merge(Map.entry((String) name, field), 1, Integer::sum));
            }
            count(value, uses);
        });
    }

    /** Moves the field schemas that several objects share to the definitions. */
    private static Map<String, Object> share(
            Map<?, ?> schema, Map<Map.Entry<String, Object>, Integer> uses, Map<String, Object> definitions) {
        var shared = new LinkedHashMap<String, Object>();
        List.copyOf(schema.entrySet()).forEach(entry -> {
            String name = (String) entry.getKey();
            Object value = entry.getValue();
            boolean isCommon = uses.getOrDefault(Map.entry(name, value), 0) >= MIN_SHARED
                    && value instanceof Map<?, ?> field
                    && !field.containsKey("$ref")
                    && (!definitions.containsKey(name) || definitions.get(name).equals(value));
            if (isCommon) {
                definitions.put(name, value);
                shared.put(name, Map.of("$ref", "#/$defs/" + name));
            } else {
                shared.put(
                        name,
                        value instanceof Map<?, ?> inner && !name.equals("$defs")
                                ? share(inner, uses, definitions)
                                : value);
            }
        });
        return shared;
    }

    /** A map in the order of the arguments, in which names and values alternate; omits null values. */
    static Map<String, Object> ordered(Object... namesAndValues) {
        var ordered = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                ordered.put((String) namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return ordered;
    }

    private Map<String, Object> object(Kind<?> kind) {
        List<String> required = kind.fields().stream()
                .filter(field -> isAlwaysRequired(field))
                .map(Field::name)
                .toList();
        var properties = new LinkedHashMap<String, Object>();
        kind.fields().forEach(field -> properties.put(field.name(), property(field)));
        if (kind.isObject()) {
            properties.put("id", Map.of("$ref", "#/$defs/id"));
        }
        var object = ordered(
                "description",
                Descriptions.ALL.of(kind),
                "type",
                required.isEmpty() ? List.of("object", "null") : "object",
                "additionalProperties",
                false,
                "required",
                required.isEmpty() ? null : required,
                "properties",
                properties);
        if (!kind.pairs().isEmpty()) {
            var pairs = new LinkedHashMap<String, Object>();
            kind.pairs().forEach(pair -> {
                pairs.put(pair.one(), List.of(pair.other()));
                pairs.put(pair.other(), List.of(pair.one()));
            });
            object.put("dependentRequired", pairs);
        }
        List<Object> conditions = conditions(kind);
        if (!conditions.isEmpty()) {
            object.put("allOf", conditions);
        }
        object.putAll(sorted(kind.schema()));
        return object;
    }

    private static boolean isAlwaysRequired(Field field) {
        return field.isRequired()
                && (field.condition() == null || !field.condition().isOwned());
    }

    private Map<String, Object> property(Field field) {
        var property = ordered("description", Descriptions.ALL.of(field));
        property.putAll(type(field.type(), field.isRequired() && field.condition() == null));
        property.putAll(sorted(field.schema()));
        Object initial = field.initial();
        if (initial != null && !initial.equals(FieldMap.EMPTY) && !initial.equals(List.of())) {
            property.put("default", initial);
        }
        return property;
    }

    /** @param isRequired whether null is not allowed */
    private Map<String, Object> type(Type type, boolean isRequired) {
        return switch (type) {
            case Text(int min, int max) ->
                ordered(
                        "type",
                        "string",
                        "minLength",
                        min == 0 ? null : (Object) min,
                        "maxLength",
                        max == 0 ? null : (Object) max);
            case FullText(int max) -> ordered("type", "string", "maxLength", max, "pattern", "\\S");
            case Words(List<String> words, var _, var _) -> ordered("type", "string", "enum", words);
            case Flag() -> ordered("type", "boolean");
            case Whole(long min, long max, boolean _, boolean isNonZero) ->
                ordered(
                        "type",
                        "integer",
                        "minimum",
                        min,
                        "maximum",
                        max,
                        "not",
                        isNonZero ? Map.of("const", 0) : null);
            case Decimal decimal -> {
                var number = ordered("type", "number");
                number.putAll(sorted(decimal.schema()));
                yield number;
            }
            case Day() -> ordered("type", "string", "pattern", DAY);
            case TimeOfDay() -> ordered("type", "string", "pattern", TIME);
            case Zone _, Reference _ -> ordered("type", "string");
            case ListOf list ->
                ordered(
                        "type",
                        isRequired ? "array" : List.of("array", "null"),
                        "minItems",
                        list.min() == 0 ? null : (Object) list.min(),
                        "maxItems",
                        list.item() instanceof Words ? null : (Object) list.max(),
                        "uniqueItems",
                        list.isUnique() ? true : null,
                        "items",
                        type(list.item(), true));
            case MapOf map ->
                ordered(
                        "type",
                        List.of("object", "null"),
                        "maxProperties",
                        map.max() == 0 ? null : (Object) map.max(),
                        "propertyNames",
                        map.key() instanceof Words words ? Map.of("enum", words.words()) : null,
                        "additionalProperties",
                        type(map.value(), true));
            case Part(Kind<?> kind) -> object(kind);
            case OfRecord _ -> throw new IllegalArgumentException("not in rulesets: " + type);
            case Entries(Kind<?> kind, int max) ->
                ordered(
                        "type",
                        List.of("object", "null"),
                        "maxProperties",
                        max,
                        "propertyNames",
                        Map.of("$ref", "#/$defs/key"),
                        "additionalProperties",
                        Map.of("$ref", "#/$defs/" + definition(kind)));
        };
    }

    private String definition(Kind<?> kind) {
        int space = kind.name().indexOf(' ');
        String name = space < 0
                ? kind.name()
                : kind.name().substring(0, space)
                        + Character.toUpperCase(kind.name().charAt(space + 1))
                        + kind.name().substring(space + 2);
        if (!definitions.containsKey(name)) {
            definitions.put(name, Map.of()); // reserves a position before the definitions that it refers to
            definitions.put(name, object(kind));
        }
        return name;
    }

    /** Conditions that the words of one field set on other fields. */
    private static List<Object> conditions(Kind<?> kind) {
        var conditions = new ArrayList<>();
        for (Field discriminator : kind.fields()) {
            if (discriminator.type() instanceof Words words) {
                for (String word : words.words()) {
                    Map<String, Object> then = then(kind, discriminator.name(), word);
                    if (!then.isEmpty()) {
                        conditions.add(ordered(
                                "if",
                                ordered(
                                        "properties",
                                        Map.of(discriminator.name(), Map.of("const", word)),
                                        "required",
                                        List.of(discriminator.name())),
                                "then",
                                then));
                    }
                }
            }
        }
        return conditions;
    }

    /** @param kind the owner of the discriminator, or a part of it */
    private static Map<String, Object> then(Kind<?> kind, String discriminator, String word) {
        var required = new ArrayList<String>();
        var properties = new LinkedHashMap<String, Object>();
        for (Field field : kind.fields()) {
            Field.Condition condition = field.condition();
            if (condition != null
                    && condition.field().equals(discriminator)
                    && condition.words().contains(word)
                    && field.isRequired()
                    && !isAlwaysRequired(field)) {
                required.add(field.name());
            }
            if (condition != null
                    && condition.field().equals(discriminator)
                    && !condition.words().contains(word)
                    && field.type() instanceof FullText) {
                properties.put(field.name(), false);
            }
            for (Field.Narrowed narrowed : field.narrowed()) {
                if (narrowed.field().equals(discriminator) && narrowed.word().equals(word)) {
                    properties.put(
                            field.name(),
                            Map.of(field.type() instanceof Whole ? "maximum" : "maxLength", narrowed.max()));
                }
            }
            if (field.type() instanceof ListOf list && list.item() instanceof Part(Kind<?> part)) {
                Map<String, Object> inner = then(part, discriminator, word);
                if (!inner.isEmpty()) {
                    properties.put(field.name(), Map.of("items", inner));
                }
            }
        }
        return ordered(
                "required",
                required.isEmpty() ? null : required,
                "properties",
                properties.isEmpty() ? null : properties);
    }

    /** Keywords in alphabetical order, which is stable between builds. */
    static Map<String, Object> sorted(Map<String, ?> keywords) {
        var sorted = new TreeMap<String, Object>();
        keywords.forEach((name, value) -> sorted.put(name, value instanceof Map<?, ?> map ? sortedInner(map) : value));
        return sorted;
    }

    private static Map<String, Object> sortedInner(Map<?, ?> map) {
        var named = new LinkedHashMap<String, Object>();
        map.forEach((name, value) -> named.put((String) name, value));
        return sorted(named);
    }
}
