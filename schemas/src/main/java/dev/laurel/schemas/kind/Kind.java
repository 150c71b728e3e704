package dev.laurel.schemas.kind;

import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.ListOf;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.kind.Type.Reference;
import dev.laurel.schemas.kind.Type.Target;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of a kind of configured objects: its fields in the order of the file. Reading, checks, documents, exports,
 * the admin API, the JSON Schema of the file and the objects' part of the OpenAPI document are derived from it; the comment of a constant
 * with a kind is its description there. Immutable; a method that sets a property returns a changed copy.
 *
 * @param recordType the record whose components hold the fields; null if objects of this kind are made by hand
 * @param fieldsByName the fields in the order of the file
 * @param rules checks of a whole object, after those of its fields
 * @param pairs fields that go only together
 * @param schema further keywords in the JSON Schema of the file
 * @param isObject whether its objects have an id and a key, by which others refer to them
 * @param keys how objects of the admin API get their keys
 * @param requiredAtCreation the fields of the admin API that a new object needs, in the order in which they are reported; of a record in
 *     topics, those that are reported first
 * @param shown the order of fields in bodies of the admin API; other fields come before {@code created}, or last
 * @param <T> the document record
 */
public record Kind<T>(
        String name,
        @Nullable Class<T> recordType,
        Map<String, Field> fieldsByName,
        List<Check> rules,
        List<Pair> pairs,
        Map<String, ?> schema,
        boolean isObject,
        @Nullable Adjustment<T> adjustment,
        Keys keys,
        List<String> requiredAtCreation,
        List<String> shown) {

    /** Limits the objects of one kind, because a ruleset is read and compiled as a whole. */
    public static final int MAX_OBJECTS = 10_000;

    /** A check of what the bounds of single fields cannot express. Pure. */
    @FunctionalInterface
    public interface Check {

        /** @param path JSON pointer to the draft */
        void of(IssueList issues, String path, FieldMap draft);
    }

    /** The source of the keys of objects in the admin API. */
    public enum Keys {
        /** A request must give a new object its key, which never changes. */
        GIVEN,
        /** A request must give a new object its key, which can change. */
        CHANGEABLE,
        /** A request may give a new object its key, which can change; by default it is the id. */
        OPTIONAL,
        /** The key is the id. */
        ID
    }

    /** Two fields that go only together. */
    public record Pair(String one, String other) {}

    /**
     * Code for records whose components do not correspond to fields.
     *
     * @param made completes a document that was made by names
     * @param exported exports a document with the help of the export by names
     */
    public record Adjustment<T>(
            BiFunction<T, FieldMap, T> made, BiFunction<T, Function<T, FieldMap>, FieldMap> exported) {}

    public static <T> Kind<T> of(String name, @Nullable Class<T> recordType, Field... fields) {
        var byName = new LinkedHashMap<String, Field>();
        for (Field field : fields) {
            byName.put(field.name(), field);
        }
        return new Kind<>(
                name,
                recordType,
                Collections.unmodifiableMap(byName),
                List.of(),
                List.of(),
                Map.of(),
                false,
                null,
                Keys.ID,
                List.of(),
                List.of());
    }

    /**
     * A kind whose fields are the components of its record, in their order, with the types of the components.
     *
     * @param others fields that accept other values than their components could hold
     */
    public static <T> Kind<T> ofRecord(String name, Class<T> recordType, Field... others) {
        return of(
                name,
                recordType,
                Arrays.stream(recordType.getRecordComponents())
                        .map(component -> Arrays.stream(others)
                                .filter(other -> other.component().equals(component.getName()))
                                .findFirst()
                                .orElseGet(() -> Field.of(component)))
                        .toArray(Field[]::new));
    }

    static <T> List<T> append(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }

    public Kind<T> identified(Keys how) {
        return Records.with(this, "isObject", true, "keys", how);
    }

    public Kind<T> check(Check rule) {
        return Records.with(this, "rules", append(rules, rule));
    }

    public Kind<T> pair(String one, String other) {
        return Records.with(this, "pairs", append(pairs, new Pair(one, other)));
    }

    /** See {@link Adjustment}. */
    public Kind<T> adjusted(BiFunction<T, FieldMap, T> made, BiFunction<T, Function<T, FieldMap>, FieldMap> exported) {
        return Records.with(this, "adjustment", new Adjustment<>(made, exported));
    }

    /** Lets null clear these fields. */
    public Kind<T> clearable(String... names) {
        var fields = new LinkedHashMap<>(fieldsByName);
        for (String cleared : names) {
            fields.computeIfPresent(cleared, (_, field) -> field.clearable());
        }
        return Records.with(this, "fieldsByName", fields);
    }

    public Kind<T> schema(Map<String, ?> keywords) {
        return Records.with(this, "schema", keywords);
    }

    public Kind<T> requiredAtCreation(String... names) {
        return Records.with(this, "requiredAtCreation", List.of(names));
    }

    public Kind<T> shown(String... names) {
        return Records.with(this, "shown", List.of(names));
    }

    // Derived properties.

    /** The fields in the order of the file. */
    public List<Field> fields() {
        return List.copyOf(fieldsByName.values());
    }

    public @Nullable Field field(String field) {
        return fieldsByName.get(field);
    }

    /** The names in the admin API by the names in the file; those inside a part by {@code part/name}. */
    public Map<String, String> adminNames() {
        var names = new LinkedHashMap<String, String>();
        for (Field field : fieldsByName.values()) {
            names.put(field.name(), field.adminName());
            if (field.type() instanceof Part(Kind<?> part)) {
                part.adminNames().forEach((inner, name) -> names.put(field.name() + "/" + inner, name));
            }
        }
        return names;
    }

    /** Whether the condition of a field is met in this object. */
    public boolean goesWith(Field field, FieldMap draft) {
        return new Scope(this, draft.values(), null).applies(field);
    }

    /**
     * The type of the value at the end of a path of field names and keys.
     *
     * @return null if there is no such field
     */
    public @Nullable Type typeAt(List<String> path) {
        Type type = new Part(this);
        for (String step : path) {
            Field field = type instanceof Part(Kind<?> kind) ? kind.field(step) : null;
            type = switch (type) {
                case Entries(Kind<?> kind, int _) -> new Part(kind);
                case MapOf map -> map.value();
                case ListOf list -> list.item();
                default -> field == null ? null : field.type();
            };
            if (type == null) {
                return null;
            }
        }
        return type;
    }

    // Drafts and documents.

    /**
     * Reads plain values, as a JSON parser returns them.
     *
     * @throws Draft.DraftException naming the first unknown field or value of a wrong type
     */
    public FieldMap read(Map<?, ?> values) {
        return DraftReader.read(this, values);
    }

    /** Finds all that is wrong with a draft of this kind, including references within it. */
    public void check(FieldMap draft, IssueList issues) {
        new DraftChecker(draft, issues).check(this, "", draft, null);
    }

    /**
     * Gives an object another key, in its old position, and changes all references to it.
     *
     * @param section path of names to the map that holds the object
     */
    public FieldMap renamed(FieldMap draft, List<String> section, String from, String to) {
        return renamed(
                draft.with(section, draft.at(section).renamed(from, to)), section, key -> from.equals(key) ? to : key);
    }

    private FieldMap renamed(FieldMap draft, List<String> section, UnaryOperator<Object> rename) {
        FieldMap renamed = draft;
        for (Field field : fieldsByName.values()) {
            Object value = draft.get(field.name());
            Object next = value == null ? null : renamed(field.type(), value, section, rename);
            renamed = next == value ? renamed : renamed.with(field.name(), next);
        }
        return renamed;
    }

    /** Returns the same object if nothing in it changes. */
    private static Object renamed(Type type, Object value, List<String> section, UnaryOperator<Object> rename) {
        Object next = switch (type) {
            case Reference(Target target) when target.path().equals(section) -> rename.apply(value);
            case ListOf list ->
                ((List<?>) value)
                        .stream()
                                .map(item -> renamed(list.item(), item, section, rename))
                                .toList();
            case Part(Kind<?> kind) -> kind.renamed((FieldMap) value, section, rename);
            case Entries(Kind<?> kind, int _) -> {
                var entries = new LinkedHashMap<String, FieldMap>();
                ((FieldMap) value)
                        .objects()
                        .forEach((key, object) -> entries.put(key, kind.renamed(object, section, rename)));
                yield FieldMap.of(entries);
            }
            case MapOf map
            when map.key() instanceof Reference(Target target) && target.path().equals(section) ->
                throw new IllegalArgumentException("objects that are keys of a map keep their keys: " + section);
            default -> value;
        };
        return next.equals(value) ? value : next;
    }

    /**
     * Makes the document of a draft without issues.
     *
     * @param given values of components that no field holds, by name
     */
    public T make(FieldMap draft, Map<String, ?> given) {
        T made = DraftMapper.make(this, draft, given, null);
        return adjustment == null ? made : adjustment.made().apply(made, draft);
    }

    /** The draft of a document, without values that equal their defaults; the inverse of {@link #make}. */
    public FieldMap export(T document) {
        return exported(document, false);
    }

    /** The drafts of documents, by their keys. */
    public FieldMap export(List<T> documents) {
        var drafts = new LinkedHashMap<String, FieldMap>();
        documents.forEach(document -> drafts.put(String.valueOf(Records.get(document, "key")), export(document)));
        return FieldMap.of(drafts);
    }

    /** The draft of a document with all defaults. */
    public FieldMap exportAll(T document) {
        return exported(document, true);
    }

    private FieldMap exported(T document, boolean isFull) {
        return adjustment == null
                ? DraftMapper.export(this, document, null, isFull)
                : DraftReader.ordered(
                        this,
                        adjustment
                                .exported()
                                .apply(document, d -> DraftMapper.export(this, d, null, isFull))
                                .values());
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * The values on which conditions of fields depend: those of an object, and those of the object around it.
     *
     * @param values values of the object by field
     * @param outer the object around it; null at the top
     */
    record Scope(
            Kind<?> kind,
            Map<String, @Nullable Object> values,
            @Nullable Scope outer) {

        /** Whether the condition of the field is met. */
        boolean applies(Field field) {
            Field.Condition condition = field.condition();
            if (condition == null) {
                return true;
            }
            Object word = word(condition.field());
            return word == null ? !condition.isOwned() : condition.words().contains(word);
        }

        /** The largest value or length of the field. @param max the maximum of its type */
        long max(Field field, long max) {
            for (Field.Narrowed narrowed : field.narrowed()) {
                if (narrowed.word().equals(word(narrowed.field()))) {
                    return narrowed.max();
                }
            }
            return max;
        }

        /** The word of a field of this object or of those around it. */
        @Nullable
        Object word(String field) {
            if (kind.field(field) != null) {
                return values.get(field);
            }
            return outer == null ? null : outer.word(field);
        }
    }
}
