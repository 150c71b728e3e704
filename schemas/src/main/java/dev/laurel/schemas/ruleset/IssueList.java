package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.UnicodeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The issues found so far, the first {@link #MAX_ISSUES} of them, and the words that they have in common. */
final class IssueList {

    /** A report is for people, who will not read more; issues quote their source, which may be large. */
    static final int MAX_ISSUES = 100;

    private static final int MAX_NAMED = 10;
    private static final int MAX_QUOTED = 60;
    private static final int MAX_STEP = 255;

    private final List<RulesetIssue> issues = new ArrayList<>();

    List<RulesetIssue> found() {
        return List.copyOf(issues);
    }

    boolean isEmpty() {
        return issues.isEmpty();
    }

    void add(String path, String message) {
        if (issues.size() < MAX_ISSUES) {
            issues.add(new RulesetIssue(path, message));
        } else if (issues.size() == MAX_ISSUES) {
            issues.add(new RulesetIssue("", "has more issues than these"));
        }
    }

    void expect(boolean holds, String path, String message) {
        if (!holds) {
            add(path, message);
        }
    }

    /** Whether there is a value to look at further. */
    boolean required(String path, Object value) {
        expect(value != null, path, "is required");
        return value != null;
    }

    /** Whether {@code value} is one of these, or left out. */
    boolean oneOf(String path, String value, String... allowed) {
        boolean isAllowed = value == null || Arrays.asList(allowed).contains(value);
        expect(isAllowed, path, "must be one of " + String.join(", ", allowed)
                + (value == null ? "" : "; is " + quoted(value)));
        return isAllowed;
    }

    /** A whole number, or left out. */
    void between(String path, Integer value, int min, int max) {
        between(path, value == null ? null : value.longValue(), min, max);
    }

    /** A whole number, or left out. */
    void between(String path, Long value, long min, long max) {
        expect(value == null || value >= min && value <= max, path,
                "must be a whole number from " + min + " to " + max);
    }

    /** A few of the keys that there are. */
    static String some(Collection<String> keys) {
        return keys.isEmpty() ? "none" : joined(keys, ", ");
    }

    static String joined(Collection<String> keys, String separator) {
        String first = keys.stream().limit(MAX_NAMED).map(key -> UnicodeText.cut(key, MAX_QUOTED))
                .collect(Collectors.joining(separator));
        return keys.size() <= MAX_NAMED ? first : first + separator + "…";
    }

    static String quoted(String text) {
        return "'" + UnicodeText.cut(text, MAX_QUOTED) + "'";
    }

    /** One step of a JSON pointer. No key that is allowed is cut: it is looked for. */
    static String escaped(String key) {
        return UnicodeText.cut(key, MAX_STEP).replace("~", "~0").replace("/", "~1");
    }

    /** How the human form writes a constant. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
