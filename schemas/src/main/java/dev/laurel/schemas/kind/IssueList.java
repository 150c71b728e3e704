package dev.laurel.schemas.kind;

import dev.laurel.schemas.input.UnicodeText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the issues of a check, up to {@link #MAX_ISSUES}, and words their common parts. Belongs to one check. */
public final class IssueList {

    /** Limits a report: nobody reads more, and issues quote their source, which may be large. */
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

    /** Reports a missing value. @return whether there is a value */
    boolean required(String path, @Nullable Object value) {
        expect(value != null, path, "is required");
        return value != null;
    }

    /** Reports a value that is not allowed. @return whether it is allowed */
    boolean oneOf(String path, String value, Collection<String> allowed) {
        boolean isAllowed = allowed.contains(value);
        if (!isAllowed) {
            add(path, "must be one of " + String.join(", ", allowed) + "; is " + quoted(value));
        }
        return isAllowed;
    }

    /** Lists the first of these keys. */
    public static String some(Collection<String> keys) {
        return keys.isEmpty() ? "none" : joined(keys, ", ");
    }

    public static String joined(Collection<String> keys, String separator) {
        String first = keys.stream()
                .limit(MAX_NAMED)
                .map(key -> UnicodeText.cut(key, MAX_QUOTED))
                .collect(Collectors.joining(separator));
        return keys.size() <= MAX_NAMED ? first : first + separator + "…";
    }

    public static String quoted(String text) {
        return "'" + UnicodeText.cut(text, MAX_QUOTED) + "'";
    }

    /** One step of a JSON pointer. Only a key that is longer than allowed is cut. */
    public static String escaped(String key) {
        return UnicodeText.cut(key, MAX_STEP).replace("~", "~0").replace("/", "~1");
    }

    /** A constant in the human form. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * A problem of a ruleset in its human form.
     *
     * @param path JSON pointer into the ruleset, such as {@code /points/xp/triggers/per-commit/metric}
     * @param message what is wrong and what is allowed, for people
     */
    public record Issue(String path, String message) {}
}
