package dev.laurel.schemas.kind;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** What the value of a field is: its form in a {@link Draft}, its bounds, and its form in a document. */
public sealed interface Type {

    /** Text. @param min characters, at least @param max characters, at most; 0 if that is for rules of the field to say */
    record Text(int min, int max) implements Type {}

    /** Text of at least one visible character. @param max characters, at most */
    record FullText(int max) implements Type {}

    /**
     * One of a few words.
     *
     * @param document the value of a word in a document
     * @param word the word of a value in a document
     */
    record Words(List<String> words, Function<String, Object> document, Function<Object, String> word)
            implements
                Type {

        static Words plain(String... words) {
            return new Words(List.of(words), word -> word, Object::toString);
        }

        /** The constants of an enum, all of them or those named, in lower case. */
        static <E extends Enum<E>> Words of(Class<E> type, String... words) {
            String[] all = Arrays.stream(type.getEnumConstants()).map(Words::word).toArray(String[]::new);
            return new Words(List.of(words.length == 0 ? all : words),
                    word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)), value -> word((Enum<?>) value));
        }

        /** The constants of an enum by words of their own. */
        static <E extends Enum<E>> Words of(Class<E> type, Function<E, String> wordOf) {
            var byWord = new LinkedHashMap<String, Object>();
            Arrays.stream(type.getEnumConstants()).forEach(constant -> byWord.put(wordOf.apply(constant), constant));
            return new Words(List.copyOf(byWord.keySet()), byWord::get, value -> wordOf.apply(type.cast(value)));
        }

        /** Two words, true and false in a document. */
        static Words ofBoolean(String whenTrue, String whenFalse) {
            return new Words(List.of(whenTrue, whenFalse), whenTrue::equals,
                    value -> (Boolean) value ? whenTrue : whenFalse);
        }

        /** Words for the records of a sealed interface, in the order of the words. */
        static Words ofVariants(Map<String, Class<? extends Record>> variants, String... words) {
            return new Words(List.of(words), variants::get, value -> variants.entrySet().stream()
                    .filter(variant -> variant.getValue().isInstance(value)).findFirst().orElseThrow().getKey());
        }

        static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }

    /** True or false. */
    record Flag() implements Type {}

    /**
     * A whole number, both bounds included.
     *
     * @param isInt whether it is an int everywhere; otherwise it is a long
     * @param isNonZero whether 0 is not allowed though it lies between the bounds
     */
    record Whole(long min, long max, boolean isInt, boolean isNonZero) implements Type {

        /** An Integer or Long, whichever the drafts and documents of this type hold. */
        Object value(long number) {
            return isInt ? (Object) Math.toIntExact(number) : (Object) number;
        }
    }

    /**
     * An exact number.
     *
     * @param holds whether it is one that is allowed; safe for any exponent
     * @param problem what a number that is not allowed must be
     * @param canonical the form in documents
     * @param schema the bounds in JSON Schema
     */
    record Decimal(Predicate<BigDecimal> holds, String problem, UnaryOperator<BigDecimal> canonical,
            Map<String, ?> schema) implements Type {}

    /** A day of the calendar: {@code 2026-03-04}; a LocalDate in documents. */
    record Day() implements Type {

        private static final Pattern FORM = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

        /** Whether this is one; null is none. */
        public static boolean isDay(String text) {
            try {
                return text != null && FORM.matcher(text).matches() && LocalDate.parse(text) != null;
            } catch (DateTimeException _) {
                return false; // no day of the calendar
            }
        }
    }

    /** A time of day: {@code 09:30} or {@code 17:00:30}; a LocalTime in documents. */
    record TimeOfDay() implements Type {

        private static final Pattern FORM = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?");

        /** Whether this is one; null is none. */
        public static boolean isTime(String text) {
            return text != null && FORM.matcher(text).matches();
        }
    }

    /** An IANA time zone by its name; a ZoneId in documents. */
    record Zone() implements Type {}

    /** The key of another object of the ruleset; the admin API has its id instead. */
    record Reference(Target target) implements Type {}

    /**
     * Where the objects are that a reference may name.
     *
     * @param label of one of them in messages
     * @param path names that lead to the map of them, from the top of the ruleset
     */
    record Target(String label, List<String> path) {

        public Target(String label, String... path) {
            this(label, List.of(path));
        }
    }

    /**
     * A list.
     *
     * @param max items, at most
     * @param sizeProblem what a list of another size must do
     * @param isUnique whether no item may come twice
     */
    record ListOf(Type item, int min, int max, String sizeProblem, boolean isUnique) implements Type {}

    /**
     * A map; a draft even if it is left out.
     *
     * @param key words, or references
     * @param max entries, at most; 0 if the keys limit that
     * @param entry the record of one entry in the list that a document holds, its key first; null: a document holds a map
     */
    record MapOf(Type key, Type value, int max, Class<? extends Record> entry) implements Type {}

    /** One object inside another. */
    record Part(Kind<?> kind) implements Type {}

    /** Objects by key; a draft even if it is left out. @param max how many, at most */
    record Entries(Kind<?> kind, int max) implements Type {}
}
