package dev.laurel.schemas.kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One field of a {@link Kind}: its name and type in the human form, what may stand in it, the component of the document record
 * that holds it, and its form in the admin API. Immutable; each method returns another field.
 */
public final class Field {

    /** The value of a field that is left out: the key of its object. */
    static final Object KEY = new Object();

    /** How a body of the admin API shows a field without a value. */
    public enum Missing {
        /** Not at all. */
        ABSENT,
        /** As null. */
        NULL
    }

    /** Which words of another field a field goes with. @param isOwned whether the field goes when that other one changes */
    record Condition(String field, List<String> words, boolean isOwned) {}

    /** A lower maximum beside one word of another field. */
    record Narrowed(String field, String word, int max) {}

    private final String name;
    private final Type type;
    private boolean isRequired;
    private Object initial;
    private Condition condition;
    private List<Narrowed> narrowed = List.of();
    private List<Function<Object, String>> rules = List.of();
    private Check<Draft> rulesTogether;
    private String component;
    private String about;
    private Map<String, ?> schema = Map.of();

    private String adminName;
    private String adminAbout;
    private String entryKey;
    private String entryValue;
    private List<String> adminWords = List.of();
    private boolean isClearable;
    private boolean isRanged;
    private Object atCreation;
    private Object missing = Missing.ABSENT;
    private Object otherwise;
    private boolean isHidden;

    private Field(String name, Type type) {
        this.name = name;
        this.type = type;
        this.component = name;
        this.adminName = name;
    }

    private Field with(Consumer<Field> change) {
        var copy = new Field(name, type);
        copy.isRequired = isRequired;
        copy.initial = initial;
        copy.condition = condition;
        copy.narrowed = narrowed;
        copy.rules = rules;
        copy.rulesTogether = rulesTogether;
        copy.component = component;
        copy.about = about;
        copy.schema = schema;
        copy.adminName = adminName;
        copy.adminAbout = adminAbout;
        copy.entryKey = entryKey;
        copy.entryValue = entryValue;
        copy.adminWords = adminWords;
        copy.isClearable = isClearable;
        copy.isRanged = isRanged;
        copy.atCreation = atCreation;
        copy.missing = missing;
        copy.otherwise = otherwise;
        copy.isHidden = isHidden;
        change.accept(copy);
        return copy;
    }

    // Types.

    /** Text of any length. */
    public static Field text(String name) {
        return new Field(name, new Type.Text(0, 0));
    }

    public static Field text(String name, int max) {
        return new Field(name, new Type.Text(0, max));
    }

    public static Field text(String name, int min, int max) {
        return new Field(name, new Type.Text(min, max));
    }

    /** Text with at least one visible character. */
    public static Field fullText(String name, int max) {
        return new Field(name, new Type.FullText(max));
    }

    /** One of these words, which documents hold as they are. */
    public static Field word(String name, String... words) {
        return new Field(name, Type.Words.plain(words));
    }

    /** A constant of an enum, in lower case: any of them, or one of those named. */
    public static <E extends Enum<E>> Field word(String name, Class<E> type, String... words) {
        return new Field(name, Type.Words.of(type, words));
    }

    /** One of two words, true and false in documents. */
    public static Field either(String name, String whenTrue, String whenFalse) {
        return new Field(name, Type.Words.ofBoolean(whenTrue, whenFalse));
    }

    /** The word of a record of a sealed interface; fields that go with one word are components of its record. */
    public static Field variant(String name, Map<String, Class<? extends Record>> variants, String... words) {
        return new Field(name, Type.Words.ofVariants(variants, words));
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

    /** Keys of other objects, no two of them the same. */
    public static Field references(String name, Type.Target target, int min, int max, String sizeProblem) {
        return new Field(name, new Type.ListOf(new Type.Reference(target), min, max, sizeProblem, true));
    }

    /** Constants of an enum by their words, at least one and no two of them the same. */
    public static <E extends Enum<E>> Field words(String name, Class<E> type, Function<E, String> wordOf,
            String sizeProblem) {
        Type.Words words = Type.Words.of(type, wordOf);
        return new Field(name, new Type.ListOf(words, 1, words.words().size(), sizeProblem, true));
    }

    public static Field counts(String name, int min, int max, int maxSize) {
        return new Field(name, new Type.ListOf(new Type.Whole(min, max, true, false), 0, maxSize,
                "must have at most " + maxSize + " entries", false));
    }

    public static Field parts(String name, Kind<?> kind, int maxSize) {
        return new Field(name, new Type.ListOf(new Type.Part(kind), 0, maxSize,
                "must have at most " + maxSize + " entries", false));
    }

    /** Flags by the constants of an enum. */
    public static <E extends Enum<E>> Field flags(String name, Class<E> keys) {
        return new Field(name, new Type.MapOf(Type.Words.of(keys), new Type.Flag(), 0, null));
    }

    /**
     * Values by the keys of other objects.
     *
     * @param entry the record of one of them in documents, its key first
     */
    public static Field valuesOf(String name, Type.Target target, Type value, int max, Class<? extends Record> entry) {
        return new Field(name, new Type.MapOf(new Type.Reference(target), value, max, entry));
    }

    public static Field part(String name, Kind<?> kind) {
        return new Field(name, new Type.Part(kind));
    }

    public static Field entries(String name, Kind<?> kind, int max) {
        return new Field(name, new Type.Entries(kind, max));
    }

    // What may stand in it.

    public Field required() {
        return with(f -> f.isRequired = true);
    }

    /** @param value as drafts hold it */
    public Field defaultsTo(Object value) {
        return with(f -> f.initial = value);
    }

    public Field defaultsToKey() {
        return with(f -> f.initial = KEY);
    }

    /** Goes only with these words of another field of the object, and goes when that one changes. */
    public Field of(String field, String... words) {
        return with(f -> f.condition = new Condition(field, List.of(words), true));
    }

    /** Goes only with these words of another field of the object, or of that around it. */
    public Field onlyWith(String field, String... words) {
        return with(f -> f.condition = new Condition(field, List.of(words), false));
    }

    /** Has a lower maximum beside a word of another field. */
    public Field atMostWith(String field, String word, int max) {
        return with(f -> {
            f.narrowed = new ArrayList<>(f.narrowed);
            f.narrowed.add(new Narrowed(field, word, max));
        });
    }

    /** @param problem of a value: what it must be, null if it is that */
    public Field must(Function<String, String> problem) {
        return with(f -> {
            f.rules = new ArrayList<>(f.rules);
            f.rules.add(value -> problem.apply((String) value));
        });
    }

    /** What all entries must be together. */
    public Field together(Check<Draft> check) {
        return with(f -> f.rulesTogether = check);
    }

    /** @param path of the component of the document record: its name, or names of records in one another with dots */
    public Field as(String path) {
        return with(f -> f.component = path);
    }

    /** @param text for the JSON Schema of the file */
    public Field about(String text) {
        return with(f -> f.about = text);
    }

    /** More that the JSON Schema of the file says about the value. */
    public Field schema(Map<String, ?> keywords) {
        return with(f -> f.schema = keywords);
    }

    // The admin API.

    /** @param dotted its name, or that of a field inside an object of this name */
    public Field adminName(String dotted) {
        return with(f -> f.adminName = dotted);
    }

    /** @param text for the OpenAPI document, of the field as it is given */
    public Field adminAbout(String text) {
        return with(f -> f.adminAbout = text);
    }

    /** The map is a list of objects there. @param value null: the fields of the part stand beside the key */
    public Field adminEntries(String key, String value) {
        return with(f -> {
            f.entryKey = key;
            f.entryValue = value;
        });
    }

    /** The words that the admin API takes; others are refused before anything else is looked at. */
    public Field adminWords(String... words) {
        return with(f -> f.adminWords = List.of(words));
    }

    /** Null clears the field; without this it counts as not given. */
    public Field clearable() {
        return with(f -> f.isClearable = true);
    }

    /** The bounds are part of every message about a number in the admin API. */
    public Field ranged() {
        return with(f -> f.isRanged = true);
    }

    /** What a new object of the admin API has if the field is not given, unlike one of a file. */
    public Field atCreation(Object value) {
        return with(f -> f.atCreation = value);
    }

    /** Without a value the field is shown as this: a {@link Missing}, or the value in its place. */
    public Field shownMissing(Object value) {
        return with(f -> f.missing = value);
    }

    /** Shown as this where the field does not go with the object. */
    public Field shownOtherwise(Object value) {
        return with(f -> f.otherwise = value);
    }

    public Field hidden() {
        return with(f -> f.isHidden = true);
    }

    // Reading.

    public String name() {
        return name;
    }

    public Type type() {
        return type;
    }

    public boolean isRequired() {
        return isRequired;
    }

    /** The value of a draft that leaves it out; null if there is none. @param key of the object */
    Object initial(Object key) {
        return initial == KEY ? key : initial;
    }

    public Object initial() {
        return initial == KEY ? null : initial;
    }

    Condition condition() {
        return condition;
    }

    List<Narrowed> narrowed() {
        return narrowed;
    }

    List<Function<Object, String>> rules() {
        return rules;
    }

    /** Null if there are none. */
    Check<Draft> rulesTogether() {
        return rulesTogether;
    }

    String component() {
        return component;
    }

    String about() {
        return about;
    }

    Map<String, ?> schema() {
        return schema;
    }

    /** Whether it belongs to a word of another field and goes when that changes. @param field the other one */
    public boolean isOwnedBy(String field) {
        return condition != null && condition.isOwned() && condition.field().equals(field);
    }

    public String adminName() {
        return adminName;
    }

    public String adminAbout() {
        return adminAbout;
    }

    public String entryKey() {
        return entryKey;
    }

    /** Null if the fields of the value stand beside the key. */
    public String entryValue() {
        return entryValue;
    }

    /** Empty if the field takes any text at first. */
    public List<String> adminWords() {
        return adminWords;
    }

    public boolean isClearable() {
        return isClearable;
    }

    public boolean isRanged() {
        return isRanged;
    }

    /** Null if it has none of its own. */
    public Object atCreation() {
        return atCreation;
    }

    /** A {@link Missing}, or the value in its place. */
    public Object missing() {
        return missing;
    }

    /** Null if it is not shown. */
    public Object otherwise() {
        return otherwise;
    }

    public boolean isHidden() {
        return isHidden;
    }

    @Override
    public String toString() {
        return name;
    }
}
