package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.math.BigDecimal;
import java.time.LocalTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields, types and checks that several kinds share (docs/admin-api.md A1). */
final class SharedFields {

    /** The longest streak or interval of a rule: some centuries of days. */
    static final int MAX_COUNT = 100_000;

    static final long MAX_POINTS = 1_000_000_000_000L;

    static final Target METRICS = new Target("metric", "metrics");
    static final Target ACHIEVEMENTS = new Target("achievement", "achievements");
    static final Target POINTS_SYSTEMS = new Target("points system", "points");
    static final Target LEADERBOARDS = new Target("leaderboard", "leaderboards");
    static final Target USER_ATTRIBUTES = new Target("user attribute", "attributes", "user");
    static final Target EVENT_ATTRIBUTES = new Target("event attribute", "attributes", "event");

    static final Type.Decimal AMOUNT = new Type.Decimal(
            value -> value.signum() > 0 && Amounts.problemWith(value) == null,
            "must be a number above 0, at most 1000000000000, with at most 9 fractional digits",
            Amounts::canonical,
            Map.of("exclusiveMinimum", 0, "maximum", MAX_POINTS));

    static final Map<String, ?> WEB_ADDRESS = Map.of("pattern", "^https?://");

    /** Limits the filters, because all are evaluated per event. */
    private static final int MAX_FILTERS = 100;

    /** The maximum length of an attribute value in a request. */
    private static final int MAX_FILTER_LENGTH = 4000;

    private static final BigDecimal MAX_MULTIPLIER = BigDecimal.valueOf(100);

    static final Type.Decimal MULTIPLIER = new Type.Decimal(
            value -> value.signum() > 0
                    && Amounts.problemWith(value) == null
                    && value.compareTo(MAX_MULTIPLIER) < 0
                    && value.compareTo(BigDecimal.ONE) != 0,
            "must be a number above 0 and below 100, not 1, with at most 9 fractional digits",
            Amounts::canonical,
            Map.of("exclusiveMinimum", 0, "exclusiveMaximum", 100, "not", Map.of("const", 1)));

    private SharedFields() {}

    // The display name. Left out: the key.
    // API: The display name.
    static Field name() {
        return Field.text("name", 1, 255).defaultsToKey();
    }

    // A description for users.
    static Field description() {
        return Field.text("description", 2000);
    }

    // The URL of an image: an absolute http or https address.
    static Field badgeUrl() {
        return Field.text("badgeUrl")
                .must(SharedFields::urlProblem)
                .adminName("badge.url")
                .clearable()
                .shownMissing(Field.Missing.NULL)
                .schema(WEB_ADDRESS);
    }

    // The key of a metric of this ruleset.
    // API: The metric that counts.
    static Field metric() {
        return Field.reference("metric", METRICS).required().adminName("metricId");
    }

    // The length of the streak in periods. With 'streak' only.
    static Field streakLength() {
        return Field.count("streakLength", 1, MAX_COUNT).required().as("length");
    }

    // The key of a leaderboard of this ruleset, whose runs count when they become final.
    // API: The leaderboard whose runs count when they become final.
    static Field leaderboard() {
        return Field.reference("leaderboard", LEADERBOARDS).required().adminName("leaderboardId");
    }

    // The best rank that counts. With 'leaderboard' only.
    static Field rankFrom() {
        return Field.count("rankFrom", 1, Leaderboard.MAX_PARTICIPANTS).defaultsTo(1);
    }

    // The last rank that counts, not before rankFrom. With 'leaderboard' only.
    static Field rankTo() {
        return Field.count("rankTo", 1, Leaderboard.MAX_PARTICIPANTS).required();
    }

    // The users to whom this applies, as values by the key of a user attribute: all must match at the moment of
    // evaluation. Left out: all
    // users.
    // API: The users to whom this applies: all values must match at the moment of evaluation. Without any, it applies
    // to all users.
    static Field userAttributes() {
        return filters("userAttributes", USER_ATTRIBUTES);
    }

    // The events that count, as values by the key of an event attribute: all must match. The sum of the matching events
    // since activation
    // is then compared; it restarts when these values change. Left out: all events count, and the user's total is
    // compared. With 'metric'
    // only.
    // API: The events that count: all values must match. The sum of the matching events since activation is then
    // compared; it restarts
    // when these values change. Without any, all events count, and the user's total is compared.
    static Field eventAttributes() {
        return filters("eventAttributes", EVENT_ATTRIBUTES);
    }

    private static Field filters(String name, Target attributes) {
        return Field.valuesOf(name, attributes, new Type.Text(0, MAX_FILTER_LENGTH), MAX_FILTERS, AttributeFilter.class)
                .adminEntries("attributeId", "attributeValue")
                .clearable();
    }

    static @Nullable String urlProblem(String url) {
        return ServerAddress.isUrl(url, "http") ? null : "must be an absolute http or https address";
    }

    /** Checks text for a header, in which a second line would be another header. */
    static @Nullable String lineProblem(String text) {
        return text.chars().anyMatch(Character::isISOControl) ? "must be one line, without control characters" : null;
    }

    /** Checks that {@code end} is not before {@code start}; either may be left out. */
    static void dates(IssueList issues, String path, FieldMap draft) {
        String start = draft.text("start");
        String end = draft.text("end");
        // Dates have the same order as their texts.
        boolean isOrdered = start == null
                || end == null
                || !Type.Day.isDay(start)
                || !Type.Day.isDay(end)
                || end.compareTo(start) >= 0;
        issues.expect(isOrdered, path + "/end", "must not be before start, " + start);
    }

    /** Checks that {@code rankTo} is not before {@code rankFrom}. */
    static void ranks(IssueList issues, String path, FieldMap draft) {
        issues.expect(
                !(draft.get("rankFrom") instanceof Integer from
                        && draft.get("rankTo") instanceof Integer to
                        && to < from),
                path + "/rankTo",
                "must not be before rankFrom, " + draft.get("rankFrom"));
    }

    /** Checks that one time of day is before another; either may be left out. */
    static void checkTimes(
            IssueList issues,
            String path,
            String startName,
            @Nullable String start,
            String endName,
            @Nullable String end) {
        boolean isOrdered = start == null
                || end == null
                || !TimeOfDay.isTime(start)
                || !TimeOfDay.isTime(end)
                || LocalTime.parse(start).isBefore(LocalTime.parse(end));
        issues.expect(isOrdered, path + "/" + endName, "must be after " + startName + ", " + start);
    }
}
