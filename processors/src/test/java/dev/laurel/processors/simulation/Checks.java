package dev.laurel.processors.simulation;

import java.util.Objects;
import java.util.function.Supplier;

/** Assertions of checks. */
final class Checks {

    private static final int SHOWN = 2000;

    private Checks() {}

    /** @param property the same for all failures of one kind */
    static void equal(String property, Object expected, Object actual, Object about) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(property + ": " + about + "\n" + difference(text(expected), text(actual)));
        }
    }

    static void that(String property, boolean holds, Supplier<?> about) {
        if (!holds) {
            throw new AssertionError(property + ": " + about.get());
        }
    }

    private static String text(Object value) {
        return String.valueOf(value);
    }

    /** Both texts from shortly before the first difference. */
    private static String difference(String expected, String actual) {
        int same = 0;
        while (same < Math.min(expected.length(), actual.length()) && expected.charAt(same) == actual.charAt(same)) {
            same++;
        }
        int from = Math.max(0, same - 200);
        return "    expected " + part(expected, from) + "\n    but was  " + part(actual, from);
    }

    private static String part(String text, int from) {
        String cut = text.substring(from, Math.min(text.length(), from + SHOWN));
        return (from > 0 ? "…" : "") + cut;
    }
}
