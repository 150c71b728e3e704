package dev.laurel.schemas.kind;

import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The type of a field: the form of its value in a {@link FieldMap}, its bounds, and its form in a document. */
public sealed interface Type {

    /** @param min minimum length @param max maximum length; 0 if rules of the field limit it */
    record Text(int min, int max) implements Type {}

    /** Text with at least one visible character. @param max maximum length */
    record FullText(int max) implements Type {}

    /**
     * One of a few words.
     *
     * @param document converts a word to the value in a document
     * @param word converts a value in a document to its word
     */
    record Words(List<String> words, Function<String, Object> document, Function<Object, String> word) implements Type {

        static Words plain(String... words) {
            return new Words(List.of(words), word -> word, Object::toString);
        }

        /** The constants of an enum in lower case: those named, or all if none is named. */
        static <E extends Enum<E>> Words of(Class<E> type, String... words) {
            Words all = of(type, IssueList::word);
            return words.length == 0 ? all : new Words(List.of(words), all.document, all.word);
        }

        /** The constants of an enum by other words. */
        static <E extends Enum<E>> Words of(Class<E> type, Function<E, String> wordOf) {
            var byWord = new LinkedHashMap<String, Object>();
            Arrays.stream(type.getEnumConstants()).forEach(constant -> byWord.put(wordOf.apply(constant), constant));
            return new Words(
                    List.copyOf(byWord.keySet()), word -> get(byWord, word), value -> wordOf.apply(type.cast(value)));
        }

        /** Two words for true and false in a document. */
        static Words ofBoolean(String whenTrue, String whenFalse) {
            return new Words(
                    List.of(whenTrue, whenFalse), whenTrue::equals, value -> (Boolean) value ? whenTrue : whenFalse);
        }

        /** Words for the records of a sealed interface, in the order of the records. */
        static Words ofVariants(List<String> words, List<Class<?>> variants) {
            return new Words(
                    words,
                    word -> variants.get(words.indexOf(word)),
                    value -> words.get(variants.indexOf(value.getClass())));
        }

        @SuppressWarnings("unchecked") // the class is that of an enum
        private static <E extends Enum<E>> Words ofEnum(Class<?> type) {
            return of((Class<E>) type);
        }

        private static Object get(Map<String, ?> byWord, String word) {
            return Objects.requireNonNull(byWord.get(word), "the check of the draft accepts only known words");
        }
    }

    /** True or false. */
    record Flag() implements Type {}

    /**
     * A whole number, both bounds included.
     *
     * @param isInt whether drafts and documents hold an int; otherwise a long
     * @param isNonZero whether 0 is excluded
     */
    record Whole(long min, long max, boolean isInt, boolean isNonZero) implements Type {

        public Object value(long number) {
            return isInt ? (Object) Math.toIntExact(number) : (Object) number;
        }
    }

    /**
     * An exact number.
     *
     * @param holds tests whether a number is allowed; safe for any exponent
     * @param problem the message about a number that is not allowed
     * @param canonical converts a number to its form in documents
     * @param schema the bounds in JSON Schema
     */
    record Decimal(
            Predicate<BigDecimal> holds, String problem, UnaryOperator<BigDecimal> canonical, Map<String, ?> schema)
            implements Type {

        /** An amount within the bounds of {@link Amounts}, which have messages of their own. */
        public static Decimal amount(Predicate<BigDecimal> holds, String problem, Map<String, ?> schema) {
            return new Decimal(holds, problem, Amounts::checked, schema);
        }
    }

    /** A date such as {@code 2026-03-04}; a LocalDate in documents. */
    record Day() implements Type {

        private static final Pattern FORM = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

        public static boolean isDay(@Nullable String text) {
            try {
                return text != null && FORM.matcher(text).matches() && LocalDate.parse(text) != null;
            } catch (DateTimeException _) {
                return false; // no such date
            }
        }
    }

    /** A time of day such as {@code 09:30} or {@code 17:00:30}; a LocalTime in documents. */
    record TimeOfDay() implements Type {

        private static final Pattern FORM = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?");

        public static boolean isTime(@Nullable String text) {
            return text != null && FORM.matcher(text).matches();
        }
    }

    /** The name of an IANA time zone; a ZoneId in documents. */
    record Zone() implements Type {}

    /** The key of another object of the ruleset. The admin API has its id instead. */
    record Reference(Target target) implements Type {}

    /**
     * The objects that a reference may name.
     *
     * @param label the word for such an object in messages
     * @param path path of names from the top of the ruleset to the map of the objects
     */
    record Target(String label, List<String> path) {

        public Target(String label, String... path) {
            this(label, List.of(path));
        }
    }

    /**
     * A list.
     *
     * @param sizeProblem the message about a list of another size
     * @param isUnique whether duplicates are refused
     */
    record ListOf(Type item, int min, int max, String sizeProblem, boolean isUnique) implements Type {}

    /**
     * A map; an empty draft if it is left out.
     *
     * @param key type of the keys: words or references
     * @param max maximum number of entries; 0 if the keys limit it
     * @param entry the record of one entry, its key first, if a document holds a list; null if it holds a map
     * @param label the word for a key in messages
     */
    record MapOf(Type key, Type value, int max, @Nullable Class<? extends Record> entry, String label)
            implements Type {}

    /** One object inside another. */
    record Part(Kind<?> kind) implements Type {}

    /** Objects by key; an empty draft if it is left out. @param max maximum number of objects */
    record Entries(Kind<?> kind, int max) implements Type {}

    /** The type of a field of records in topics, which configured objects do not have. */
    sealed interface OfRecord extends Type {}

    /** Text that may be given as a number or a boolean. @param max maximum length */
    record LooseText(int max) implements OfRecord {}

    /** A time with an offset; an Instant in records. @param hasMillis whether it is written with milliseconds even if they are zero */
    record Time(boolean hasMillis) implements OfRecord {}

    /**
     * A value that is written as text, which its {@code toString} returns.
     *
     * @param reader makes the value of well-formed text; the message of its IllegalArgumentException says what is wrong
     * @param noun the form in messages; empty: none
     * @param schema the form in JSON Schema
     */
    record Form(Function<String, Object> reader, String noun, Map<String, ?> schema) implements OfRecord {}

    /** The types of components of records, by their classes. */
    Map<Class<?>, Type> BY_CLASS = Map.ofEntries(
            Map.entry(String.class, new Text(0, 0)),
            Map.entry(boolean.class, new Flag()),
            Map.entry(Boolean.class, new Flag()),
            Map.entry(int.class, new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, true, false)),
            Map.entry(Integer.class, new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE, true, false)),
            Map.entry(long.class, new Whole(Long.MIN_VALUE, Long.MAX_VALUE, false, false)),
            Map.entry(BigDecimal.class, new Decimal(_ -> true, "", number -> number, Map.of())),
            Map.entry(LocalDate.class, new Day()),
            Map.entry(Instant.class, new Time(true)),
            Map.entry(ZoneId.class, new Zone()),
            Map.entry(
                    UUID.class,
                    new Form(
                            Uuids::read,
                            "a UUID",
                            Map.of(
                                    "pattern",
                                    "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"))),
            Map.entry(UserId.class, new Form(UserId::new, "", Map.of("minLength", 1, "maxLength", UserId.MAX_LENGTH))),
            Map.entry(TenantId.class, new Form(TenantId::new, "", Map.of("maxLength", TenantId.MAX_LENGTH))));

    /** The type of a component of a record. That of a parameterized type other than a collection is the type of its parameter. */
    static Type of(java.lang.reflect.Type component) {
        if (component instanceof ParameterizedType generic) {
            Type first = of(generic.getActualTypeArguments()[0]);
            return switch (((Class<?>) generic.getRawType()).getSimpleName()) {
                case "List" -> new ListOf(first, 0, Integer.MAX_VALUE, "", false);
                case "Set" -> new ListOf(first, 0, Integer.MAX_VALUE, "", true);
                case "Map" -> new MapOf(first, of(generic.getActualTypeArguments()[1]), 0, null, "key");
                default -> first;
            };
        }
        var type = (Class<?>) component;
        if (type.isEnum()) {
            return Words.ofEnum(type);
        }
        Type known = BY_CLASS.get(type);
        return known != null ? known : new Part(Kind.ofRecord(type.getSimpleName(), type));
    }
}
