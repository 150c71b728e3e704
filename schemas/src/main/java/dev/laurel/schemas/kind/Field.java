package dev.laurel.schemas.kind;

import dev.laurel.schemas.key.TenantId;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One field of a {@link Kind}: its name and type in the human form, the values that it accepts, the component of the document
 * record that holds it, and its form in the admin API. A comment in front of it in the source describes it in the JSON Schema of the
 * file, and from {@code API:} on in the OpenAPI document. Immutable; a method with an argument returns a changed copy.
 *
 * @param form the end of the message about a missing value of a record; null: that of the type
 * @param defaultValue the value of a draft that omits the field, or {@link #KEY}; null: none
 * @param condition the words of another field that this field goes with; null: always
 * @param narrowed lower maxima beside words of other fields
 * @param rules further rules for a value; each returns what is wrong with it, or null
 * @param entryRule rule for all entries of a map together
 * @param component path of the component of the document record, with dots between nested records
 * @param schema further keywords in the JSON Schema of the file
 * @param adminName name in the admin API; {@code outer.inner} if the field is inside an object
 * @param adminAlias a second name in the admin API, of the same form; requests may use either, bodies show both; null: none
 * @param entryKey the name of the field with the key, if the admin API has a list in place of the map
 * @param entryValue the name of the field with the value, unless the fields of the value are beside the key
 * @param adminWords the words that the admin API accepts, checked before all other rules; empty: any text
 * @param isClearable whether null in a request clears the field; otherwise null counts as absent
 * @param isRanged whether each message of the admin API about a number includes the bounds
 * @param atCreation the value of a new object of the admin API that omits the field; null: as in a file
 * @param missing how a body shows the field without a value: a {@link Missing}, or a value
 * @param otherwise how a body shows the field if its condition is not met; null: not at all
 * @param isHidden whether bodies never show the field
 */
public record Field(
        String name,
        Type type,
        boolean isRequired,
        @Nullable String form,
        @Nullable Object defaultValue,
        @Nullable Condition condition,
        List<Narrowed> narrowed,
        List<Function<String, @Nullable String>> rules,
        Kind.@Nullable Check entryRule,
        String component,
        Map<String, ?> schema,
        String adminName,
        @Nullable String adminAlias,
        String entryKey,
        String entryValue,
        List<String> adminWords,
        boolean isClearable,
        boolean isRanged,
        @Nullable Object atCreation,
        Object missing,
        @Nullable Object otherwise,
        boolean isHidden) {

    /** Stands for the key of the object as a default value. */
    static final Object KEY = new Object();

    /** The form of a field without a value in a body of the admin API. */
    public enum Missing {
        ABSENT,
        NULL
    }

    /**
     * The words of another field that a field goes with.
     *
     * @param isOwned whether a change of the other field clears this one
     */
    public record Condition(String field, List<String> words, boolean isOwned) {}

    /** A lower maximum beside one word of another field. */
    public record Narrowed(String field, String word, int max) {}

    private Field(String name, Type type) {
        this(
                name,
                type,
                false,
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                name,
                Map.of(),
                name,
                null,
                "key",
                "value",
                List.of(),
                false,
                false,
                null,
                Missing.ABSENT,
                null,
                false);
    }

    private Field with(String component, Object value) {
        return Records.with(this, component, value);
    }

    // Types.

    /** Text of any length. */
    public static Field text(String name) {
        return text(name, 0, 0);
    }

    public static Field text(String name, int max) {
        return text(name, 0, max);
    }

    public static Field text(String name, int min, int max) {
        return new Field(name, new Type.Text(min, max));
    }

    /** Text with at least one visible character. */
    public static Field fullText(String name, int max) {
        return new Field(name, new Type.FullText(max));
    }

    /** One of these words, which documents hold unchanged. */
    public static Field word(String name, String... words) {
        return new Field(name, Type.Words.plain(words));
    }

    /** A constant of an enum, in lower case: one of those named, or any if none is named. */
    public static <E extends Enum<E>> Field word(String name, Class<E> type, String... words) {
        return new Field(name, Type.Words.of(type, words));
    }

    /** One of two words, which documents hold as true and false. */
    public static Field either(String name, String whenTrue, String whenFalse) {
        return new Field(name, Type.Words.ofBoolean(whenTrue, whenFalse));
    }

    /** The word of a record of a sealed interface. Fields that go with one word are components of its record. */
    public static Field variant(String name, List<String> words, Class<?>... variants) {
        return new Field(name, Type.Words.ofVariants(words, List.of(variants)));
    }

    public static Field flag(String name) {
        return new Field(name, new Type.Flag());
    }

    /** An int. */
    public static Field count(String name, int min, int max) {
        return new Field(name, new Type.Whole(min, max, true, false));
    }

    /** A long. */
    public static Field whole(String name, long min, long max) {
        return new Field(name, new Type.Whole(min, max, false, false));
    }

    /** A long that is not 0. */
    public static Field wholeNotZero(String name, long min, long max) {
        return new Field(name, new Type.Whole(min, max, false, true));
    }

    public static Field typed(String name, Type type) {
        return new Field(name, type);
    }

    public static Field day(String name) {
        return new Field(name, new Type.Day());
    }

    public static Field timeOfDay(String name) {
        return new Field(name, new Type.TimeOfDay());
    }

    public static Field zone(String name) {
        return new Field(name, new Type.Zone());
    }

    public static Field reference(String name, Type.Target target) {
        return new Field(name, new Type.Reference(target));
    }

    /** Distinct keys of other objects. */
    public static Field references(String name, Type.Target target, int min, int max, String sizeProblem) {
        return new Field(name, new Type.ListOf(new Type.Reference(target), min, max, sizeProblem, true));
    }

    /** Distinct constants of an enum by their words, at least one. */
    public static <E extends Enum<E>> Field words(
            String name, Class<E> type, Function<E, String> wordOf, String sizeProblem) {
        Type.Words words = Type.Words.of(type, wordOf);
        return new Field(name, new Type.ListOf(words, 1, words.words().size(), sizeProblem, true));
    }

    public static Field counts(String name, int min, int max, int maxSize) {
        return list(name, new Type.Whole(min, max, true, false), maxSize);
    }

    public static Field parts(String name, Kind<?> kind, int maxSize) {
        return list(name, new Type.Part(kind), maxSize);
    }

    public static Field list(String name, Type item, int maxSize) {
        return new Field(name, new Type.ListOf(item, 0, maxSize, "must have at most " + maxSize + " entries", false));
    }

    /** Flags by the constants of an enum. */
    public static <E extends Enum<E>> Field flags(String name, Class<E> keys) {
        return new Field(name, new Type.MapOf(Type.Words.of(keys), new Type.Flag(), 0, null, "key"));
    }

    /**
     * Values by the keys of other objects.
     *
     * @param entry the record of one entry in documents, its key first
     */
    public static Field valuesOf(String name, Type.Target target, Type value, int max, Class<? extends Record> entry) {
        return new Field(name, new Type.MapOf(new Type.Reference(target), value, max, entry, "key"));
    }

    public static Field part(String name, Kind<?> kind) {
        return new Field(name, new Type.Part(kind));
    }

    public static Field entries(String name, Kind<?> kind, int max) {
        return new Field(name, new Type.Entries(kind, max));
    }

    /** The field of a component of a record; required unless the component may be null, or says itself that nothing was given. */
    static Field of(RecordComponent component) {
        var field = new Field(component.getName(), Type.of(component.getGenericType()));
        Class<?> type = component.getType();
        boolean isRequired = !component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                && type != boolean.class
                && type != TenantId.class
                && (type == List.class || !(component.getGenericType() instanceof ParameterizedType));
        return isRequired ? field.required() : field;
    }

    // Accepted values.

    public Field required() {
        return with("isRequired", true);
    }

    /** @param form the end of the message about a missing value, instead of that of the type */
    public Field required(String form) {
        return Records.with(this, "isRequired", true, "form", form);
    }

    /** @param value in its form in drafts */
    public Field defaultsTo(Object value) {
        return with("defaultValue", value);
    }

    public Field defaultsToKey() {
        return with("defaultValue", KEY);
    }

    /** Restricts the field to these words of another field of the object. A change of that field clears this one. */
    public Field of(String field, String... words) {
        return with("condition", new Condition(field, List.of(words), true));
    }

    /** Restricts the field to these words of another field of the object, or of the object around it. */
    public Field onlyWith(String field, String... words) {
        return with("condition", new Condition(field, List.of(words), false));
    }

    /** Lowers the maximum beside a word of another field. */
    public Field atMostWith(String field, String word, int max) {
        return with("narrowed", Kind.append(narrowed, new Narrowed(field, word, max)));
    }

    /** Adds a rule for text. @param problem returns what is wrong with a value, or null */
    public Field must(Function<String, @Nullable String> problem) {
        return with("rules", Kind.append(rules, problem));
    }

    /** Sets a rule for all entries of a map together. */
    public Field together(Kind.Check rule) {
        return with("entryRule", rule);
    }

    public Field as(String componentPath) {
        return with("component", componentPath);
    }

    public Field schema(Map<String, ?> keywords) {
        return with("schema", keywords);
    }

    // The admin API.

    public Field adminName(String dotted) {
        return with("adminName", dotted);
    }

    public Field alsoNamed(String dotted) {
        return with("adminAlias", dotted);
    }

    /** Makes the map a list of objects that have the fields of the value beside the key. */
    public Field adminEntries(String key) {
        return with("entryKey", key);
    }

    /** Makes the map a list of objects with a key and a value. */
    public Field adminEntries(String key, String value) {
        return Records.with(this, "entryKey", key, "entryValue", value);
    }

    public Field adminWords(String... words) {
        return with("adminWords", List.of(words));
    }

    /** Makes the admin API accept the words of the type, checked before all other rules. */
    public Field sameAdminWords() {
        return type instanceof Type.Words(List<String> words, var _, var _) ? with("adminWords", words) : this;
    }

    public Field clearable() {
        return with("isClearable", true);
    }

    public Field ranged() {
        return with("isRanged", true);
    }

    public Field atCreation(Object value) {
        return with("atCreation", value);
    }

    public Field shownMissing(Object value) {
        return with("missing", value);
    }

    public Field shownOtherwise(Object value) {
        return with("otherwise", value);
    }

    public Field hidden() {
        return with("isHidden", true);
    }

    // Derived properties.

    /** The value of a draft that omits the field. @param key of the object */
    @Nullable
    Object initial(@Nullable Object key) {
        return defaultValue == KEY ? key : defaultValue;
    }

    /** The value of a draft that omits the field, if it is the same for all objects. */
    public @Nullable Object initial() {
        return initial(null);
    }

    /** Whether a change of this other field clears the field. */
    public boolean isOwnedBy(String field) {
        return condition != null && condition.isOwned() && condition.field().equals(field);
    }

    @Override
    public String toString() {
        return name;
    }
}
