package dev.laurel.schemas.kind;

import dev.laurel.schemas.input.UnicodeText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The issues found so far, the first {@link #MAX_ISSUES} of them, and the words that they have in common. */
public final class IssueList {

    /** A report is for people, who will not read more; issues quote their source, which may be large. */
    public static final int MAX_ISSUES = 100;

    private static final int MAX_NAMED = 10;
    private static final int MAX_QUOTED = 60;
    private static final int MAX_STEP = 255;

    private final List<Issue> issues = new ArrayList<>();

    public List<Issue> found() {
        return List.copyOf(issues);
    }

    public boolean isEmpty() {
        return issues.isEmpty();
    }

    public void add(String path, String message) {
        if (issues.size() < MAX_ISSUES) {
            issues.add(new Issue(path, message));
        } else if (issues.size() == MAX_ISSUES) {
            issues.add(new Issue("", "has more issues than these"));
        }
    }

    public void expect(boolean holds, String path, String message) {
        if (!holds) {
            add(path, message);
        }
    }

    /** Whether there is a value to look at further. */
    public boolean required(String path, Object value) {
        expect(value != null, path, "is required");
        return value != null;
    }

    /** Whether {@code value} is one of these, or left out. */
    public boolean oneOf(String path, String value, Collection<String> allowed) {
        boolean isAllowed = value == null || allowed.contains(value);
        if (!isAllowed) {
            add(path, "must be one of " + String.join(", ", allowed) + "; is " + quoted(value));
        }
        return isAllowed;
    }

    /** A few of the keys that there are. */
    public static String some(Collection<String> keys) {
        return keys.isEmpty() ? "none" : joined(keys, ", ");
    }

    public static String joined(Collection<String> keys, String separator) {
        String first = keys.stream().limit(MAX_NAMED).map(key -> UnicodeText.cut(key, MAX_QUOTED))
                .collect(Collectors.joining(separator));
        return keys.size() <= MAX_NAMED ? first : first + separator + "…";
    }

    public static String quoted(String text) {
        return "'" + UnicodeText.cut(text, MAX_QUOTED) + "'";
    }

    /** One step of a JSON pointer. No key that is allowed is cut: it is looked for. */
    public static String escaped(String key) {
        return UnicodeText.cut(key, MAX_STEP).replace("~", "~0").replace("/", "~1");
    }

    /** How the human form writes a constant. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
