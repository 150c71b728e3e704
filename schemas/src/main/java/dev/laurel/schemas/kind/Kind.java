package dev.laurel.schemas.kind;

import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.MapOf;
import dev.laurel.schemas.kind.Type.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The one description of a kind of configured objects: its fields in the order of the file. Reading, checks, documents,
 * exports, the admin API, the JSON Schema of the file and the objects' part of the OpenAPI document are derived from it.
 * Immutable; each method that changes something returns another kind.
 *
 * @param <T> the document record
 */
public final class Kind<T> {

    static final String ID = "id";

    /** How objects of the admin API get their keys. */
    public enum Keys {
        /** A new object must be given one, which stays. */
        GIVEN,
        /** A new object must be given one, which can change. */
        CHANGEABLE,
        /** A new object may be given one, which can change; without one its key is its id. */
        OPTIONAL,
        /** The key is the id. */
        ID
    }

    /** What follows the making of a record, and surrounds its export, where components and fields do not correspond. */
    private record Adjustment<T>(BiFunction<T, Draft, T> made, BiFunction<T, Function<T, Draft>, Draft> exported) {}

    /** Two fields of which none goes without the other. */
    record Pair(String one, String other) {}

    private final String name;
    private final Class<T> record;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final List<Check<Draft>> rules = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final Map<String, Object> schema = new LinkedHashMap<>();
    private boolean isObject;
    private Adjustment<T> adjustment;
    private String about;
    private Keys keys = Keys.ID;
    private List<String> requiredAtCreation = List.of();
    private List<String> shown = List.of();

    private Kind(String name, Class<T> record) {
        this.name = name;
        this.record = record;
    }

    /** @param record whose components hold the fields; null if objects of this kind are made by hand */
    public static <T> Kind<T> of(String name, Class<T> record, Field... fields) {
        var kind = new Kind<>(name, record);
        for (Field field : fields) {
            kind.fields.put(field.name(), field);
        }
        return kind;
    }

    private Kind<T> with(Consumer<Kind<T>> change) {
        var copy = new Kind<>(name, record);
        copy.fields.putAll(fields);
        copy.rules.addAll(rules);
        copy.pairs.addAll(pairs);
        copy.schema.putAll(schema);
        copy.isObject = isObject;
        copy.adjustment = adjustment;
        copy.about = about;
        copy.keys = keys;
        copy.requiredAtCreation = requiredAtCreation;
        copy.shown = shown;
        change.accept(copy);
        return copy;
    }

    /** Its objects have an id and a key, by which others refer to them. */
    public Kind<T> identified(Keys how) {
        return with(kind -> {
            kind.isObject = true;
            kind.keys = how;
        });
    }

    /** Another check of a whole object, after those of its fields. */
    public Kind<T> check(Check<Draft> rule) {
        return with(kind -> kind.rules.add(rule));
    }

    /** Two fields that only go together. */
    public Kind<T> pair(String one, String other) {
        return with(kind -> kind.pairs.add(new Pair(one, other)));
    }

    /**
     * Corrects by hand what the names of components and fields do not say.
     *
     * @param made the document of what they say, and the draft
     * @param exported the draft of a document, with the help of the export by names
     */
    public Kind<T> adjusted(BiFunction<T, Draft, T> made, BiFunction<T, Function<T, Draft>, Draft> exported) {
        return with(kind -> kind.adjustment = new Adjustment<>(made, exported));
    }

    /** @param text for the JSON Schema of the file */
    public Kind<T> about(String text) {
        return with(kind -> kind.about = text);
    }

    /** More that the JSON Schema of the file says about an object. */
    public Kind<T> schema(Map<String, ?> keywords) {
        return with(kind -> kind.schema.putAll(keywords));
    }

    /** The fields of the admin API that a new object must be given, by the names there, in the order in which they are missed. */
    public Kind<T> requiredAtCreation(String... names) {
        return with(kind -> kind.requiredAtCreation = List.of(names));
    }

    /**
     * The order of fields in the bodies of the admin API, by the names there. Fields that are not named come before
     * {@code created}, or last.
     */
    public Kind<T> shown(String... names) {
        return with(kind -> kind.shown = List.of(names));
    }

    // Reading.

    public String name() {
        return name;
    }

    Class<T> record() {
        return record;
    }

    /** In the order of the file. */
    public List<Field> fields() {
        return List.copyOf(fields.values());
    }

    /** Null if there is none. */
    public Field field(String field) {
        return fields.get(field);
    }

    List<Check<Draft>> rules() {
        return rules;
    }

    List<Pair> pairs() {
        return pairs;
    }

    Map<String, Object> schema() {
        return schema;
    }

    public boolean isObject() {
        return isObject;
    }

    String about() {
        return about;
    }

    public Keys keys() {
        return keys;
    }

    public List<String> requiredAtCreation() {
        return requiredAtCreation;
    }

    public List<String> shown() {
        return shown;
    }

    /** Whether maps of objects stand below: then it is never left out of a draft. */
    boolean holdsObjects() {
        return fields.values().stream().anyMatch(field -> field.type() instanceof Entries);
    }

    /** Admin names of the fields that are called otherwise there, by their names in the file. */
    public Map<String, String> adminNames() {
        var names = new LinkedHashMap<String, String>();
        fields.values().forEach(field -> names.put(field.name(), field.adminName()));
        return names;
    }

    /** Whether the conditions of a field let it stand in this object. */
    public boolean goesWith(Field field, Draft draft) {
        return new Scope(this, draft.values(), null).applies(field);
    }

    // Drafts and documents.

    /**
     * Reads plain values, as a JSON parser gives them, as a draft: known fields only, each of its type.
     *
     * @throws DraftException naming the first value that is not
     */
    public Draft read(Map<?, ?> values) {
        return DraftReader.read(this, values);
    }

    /** Finds everything that is wrong with a draft of this kind, references within it included. */
    public void check(Draft draft, IssueList issues) {
        new DraftChecker(draft, issues).check(this, "", draft, null);
    }

    /**
     * The draft with an object under another key, in its old position and in everything that refers to it.
     *
     * @param section names that lead to the map of the object
     */
    public Draft renamed(Draft draft, List<String> section, String from, String to) {
        UnaryOperator<Object> rename = key -> from.equals(key) ? to : key;
        return references(draft.with(section, draft.at(section).renamed(from, to)), section, rename);
    }

    private Draft references(Draft draft, List<String> section, UnaryOperator<Object> rename) {
        Draft renamed = draft;
        for (Field field : fields.values()) {
            Object value = draft.get(field.name());
            Object next = value == null ? null : references(field.type(), value, section, rename);
            renamed = next == value ? renamed : renamed.with(field.name(), next);
        }
        return renamed;
    }

    /** The same object if nothing in it changes. */
    private static Object references(Type type, Object value, List<String> section, UnaryOperator<Object> rename) {
        return switch (type) {
            case Type.Reference(Type.Target target) when target.path().equals(section) -> rename.apply(value);
            case Type.ListOf list -> {
                List<Object> next = ((List<?>) value).stream()
                        .map(item -> references(list.item(), item, section, rename)).toList();
                yield next.equals(value) ? value : next;
            }
            case Part(Kind<?> kind) -> kind.references((Draft) value, section, rename);
            case Entries(Kind<?> kind, int _) ->
                values((Draft) value, entry -> references(new Part(kind), entry, section, rename));
            case MapOf map when map.key() instanceof Type.Reference(Type.Target target)
                    && target.path().equals(section) ->
                throw new IllegalArgumentException("objects that are keys of a map keep their keys: " + section);
            default -> value;
        };
    }

    private static Draft values(Draft draft, UnaryOperator<Object> change) {
        var next = new LinkedHashMap<String, Object>();
        boolean isChanged = false;
        for (Map.Entry<String, Object> entry : draft.values().entrySet()) {
            Object value = change.apply(entry.getValue());
            isChanged |= value != entry.getValue();
            next.put(entry.getKey(), value);
        }
        return isChanged ? Draft.of(next) : draft;
    }

    /**
     * The document of a draft without issues.
     *
     * @param given values of components that no field holds, by name
     */
    public T make(Draft draft, Map<String, ?> given) {
        T made = DraftMapper.make(this, draft, given);
        return adjustment == null ? made : adjustment.made().apply(made, draft);
    }

    /** The draft of a document: the way back from {@link #make}, what equals its default left out. */
    public Draft export(T document) {
        return exported(document, false);
    }

    /** The draft of a document with all defaults. */
    public Draft exportAll(T document) {
        return exported(document, true);
    }

    private Draft exported(T document, boolean isFull) {
        return adjustment == null
                ? DraftMapper.export(this, document, null, isFull)
                : DraftReader.ordered(this, adjustment.exported()
                        .apply(document, d -> DraftMapper.export(this, d, null, isFull)).values());
    }

    @Override
    public String toString() {
        return name;
    }
}
