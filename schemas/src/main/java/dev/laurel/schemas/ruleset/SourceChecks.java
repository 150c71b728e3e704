package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.key.UnicodeText;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import static dev.laurel.schemas.ruleset.IssueList.escaped;
import static dev.laurel.schemas.ruleset.IssueList.quoted;

/** What many objects of a {@link RulesetSource} have, and what must hold of it. Belongs to one validation. */
final class SourceChecks {

    /** Objects of one kind; a ruleset is compiled into memory and read whole. */
    static final int MAX_OBJECTS = 10_000;

    /** Each is looked at per event. */
    static final int MAX_FILTERS = 100;

    /** No attribute that a request sets is longer. */
    static final int MAX_FILTER_LENGTH = 4000;

    /** Of lengths of streaks and of intervals: some centuries of days. */
    static final int MAX_COUNT = 100_000;

    static final long MAX_POINTS = 1_000_000_000_000L;

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?");

    private final RulesetSource source;
    private final IssueList issues;
    private final Set<UUID> ids = new HashSet<>();

    SourceChecks(RulesetSource source, IssueList issues) {
        this.source = source;
        this.issues = issues;
    }

    interface Check<V> {
        void accept(String path, V value);
    }

    <V> void entries(String path, Map<String, V> entries, Check<V> check) {
        entries(path, entries, MAX_OBJECTS, check);
    }

    <V> void entries(String path, Map<String, V> entries, int maxSize, Check<V> check) {
        issues.expect(entries.size() <= maxSize, path, "must have at most " + maxSize + " entries");
        entries.forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            issues.expect(KEY.matcher(key).matches(), at,
                    "has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed");
            if (issues.required(at, value)) {
                check.accept(at, value);
            }
        });
    }

    /** A field of another kind would do nothing: whoever wrote it meant something else. */
    void foreign(String path, Object value, String field, String kind, String owner) {
        issues.expect(value == null || kind.equals(owner), path,
                "belongs to " + field + " " + owner + ", not to " + field + " " + kind);
    }

    static Object unlessEmpty(Map<String, String> values) {
        return values.isEmpty() ? null : values;
    }

    void filters(String path, Map<String, String> filters, AttributeType type) {
        issues.expect(filters.size() <= MAX_FILTERS, path, "must have at most " + MAX_FILTERS + " entries");
        filters.forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            attributeReference(at, key, type);
            if (issues.required(at, value)) {
                text(at, value, MAX_FILTER_LENGTH);
            }
        });
    }

    // References.

    void metricReference(String path, String key) {
        reference(path, "metric", key, source.metrics());
    }

    void achievementReference(String path, String key) {
        reference(path, "achievement", key, source.achievements());
    }

    void pointsReference(String path, String key) {
        reference(path, "points system", key, source.points());
    }

    void attributeReference(String path, String key, AttributeType type) {
        Map<String, ?> known = type == AttributeType.USER
                ? source.attributes().user()
                : source.attributes().event();
        reference(path, IssueList.word(type) + " attribute", key, known);
    }

    private void reference(String path, String kind, String key, Map<String, ?> known) {
        if (issues.required(path, key) && !known.containsKey(key)) {
            issues.add(path,
                    "names an unknown " + kind + " " + quoted(key) + "; known: " + IssueList.some(known.keySet()));
        }
    }

    /** A list of keys, or other words, of which none comes twice. */
    void keys(String path, List<String> keys, Check<String> reference) {
        var seen = new HashSet<String>();
        for (int i = 0; i < keys.size(); i++) {
            String at = path + "/" + i;
            reference.accept(at, keys.get(i));
            issues.expect(keys.get(i) == null || seen.add(keys.get(i)), at, "is named twice");
        }
    }

    // Texts.

    void id(String path, UUID id) {
        issues.expect(id == null || ids.add(id), path + "/id", "is used twice");
    }

    void name(String path, String name) {
        issues.expect(name == null || !name.isEmpty() && name.length() <= 255, path + "/name",
                "must have 1 to 255 characters");
        unicode(path + "/name", name);
    }

    void description(String path, String description) {
        text(path + "/description", description, 2000);
    }

    void text(String path, String text, int maxLength) {
        issues.expect(text == null || text.length() <= maxLength, path,
                "must have at most " + maxLength + " characters");
        unicode(path, text);
    }

    /** A text that must be there. */
    void requiredText(String path, String text, int maxLength) {
        if (issues.required(path, text)) {
            issues.expect(!text.isBlank(), path, "must not be empty");
            text(path, text, maxLength);
        }
    }

    /** What goes into a header, where a second line would be another header. */
    void oneLine(String path, String text) {
        issues.expect(text == null || text.chars().noneMatch(Character::isISOControl), path,
                "must be one line, without control characters");
    }

    private void unicode(String path, String text) {
        issues.expect(text == null || UnicodeText.isWellFormed(text), path, "must be valid Unicode text");
    }

    void url(String path, String url) {
        if (url == null) {
            return;
        }
        boolean isWeb;
        try {
            var uri = new URI(url);
            isWeb = ServerAddress.isIn(uri)
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException _) {
            isWeb = false;
        }
        issues.expect(isWeb, path, "must be an absolute http or https address");
    }

    /** Documents are kept for ever, exported and shown: what opens something is no part of them. */
    void noCredentials(String path, String url) {
        try {
            issues.expect(url == null || new URI(url).getRawUserInfo() == null, path,
                    "must not have a user name or password");
        } catch (URISyntaxException _) {
            // said by whoever checks that it is an address
        }
    }

    // Numbers, dates and times.

    void count(String path, Integer value) {
        if (issues.required(path, value)) {
            issues.between(path, value, 1, MAX_COUNT);
        }
    }

    boolean amount(String path, BigDecimal value) {
        boolean isAmount = value.signum() > 0 && Amounts.problemWith(value) == null;
        issues.expect(isAmount, path,
                "must be a number above 0, at most 1000000000000, with at most 9 fractional digits");
        return isAmount;
    }

    /** Two dates of which both may be left out. */
    void dates(String path, String startText, String endText) {
        LocalDate start = startText == null ? null : date(path + "/start", startText);
        LocalDate end = endText == null ? null : date(path + "/end", endText);
        issues.expect(start == null || end == null || !end.isBefore(start), path + "/end",
                "must not be before start, " + start);
    }

    /** Null, with an issue, if it is none. */
    private LocalDate date(String path, String text) {
        try {
            if (DATE.matcher(text).matches()) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException _) {
            // No day of the calendar: said below.
        }
        issues.add(path, "must be a date, such as 2026-03-04; is " + quoted(text));
        return null;
    }

    /** Null, with an issue unless it is left out, if it is none. */
    LocalTime time(String path, String text) {
        if (text == null) {
            return null;
        }
        if (TIME.matcher(text).matches()) {
            return LocalTime.parse(text);
        }
        issues.add(path, "must be a time of day, such as 09:30 or 17:00:30; is " + quoted(text));
        return null;
    }
}
