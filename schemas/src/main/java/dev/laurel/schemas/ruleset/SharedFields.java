package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.kind.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/** Fields, types and checks that several kinds of objects share (docs/admin-api.md A1). */
final class SharedFields {

    /** Objects of one kind; a ruleset is compiled into memory and read whole. */
    static final int MAX_OBJECTS = 10_000;

    /** The longest streak or interval that a rule may name: some centuries of days. */
    static final int MAX_COUNT = 100_000;

    static final long MAX_POINTS = 1_000_000_000_000L;

    static final Target METRICS = new Target("metric", "metrics");
    static final Target ACHIEVEMENTS = new Target("achievement", "achievements");
    static final Target POINTS_SYSTEMS = new Target("points system", "points");
    static final Target USER_ATTRIBUTES = new Target("user attribute", "attributes", "user");
    static final Target EVENT_ATTRIBUTES = new Target("event attribute", "attributes", "event");

    static final Type.Decimal AMOUNT = new Type.Decimal(
            value -> value.signum() > 0 && Amounts.problemWith(value) == null,
            "must be a number above 0, at most 1000000000000, with at most 9 fractional digits", Amounts::canonical,
            Map.of("exclusiveMinimum", 0, "maximum", MAX_POINTS));

    /** What the JSON Schema of the file says of an address. */
    static final Map<String, ?> WEB_ADDRESS = Map.of("pattern", "^https?://");

    /** Every filter is compared per event. */
    private static final int MAX_FILTERS = 100;

    /** The longest value that a request can give an attribute. */
    private static final int MAX_FILTER_LENGTH = 4000;

    private static final BigDecimal MAX_MULTIPLIER = BigDecimal.valueOf(100);

    static final Type.Decimal MULTIPLIER = new Type.Decimal(
            value -> value.signum() > 0 && Amounts.problemWith(value) == null && value.compareTo(MAX_MULTIPLIER) < 0
                    && value.compareTo(BigDecimal.ONE) != 0,
            "must be a number above 0 and below 100, not 1, with at most 9 fractional digits", Amounts::canonical,
            Map.of("exclusiveMinimum", 0, "exclusiveMaximum", 100, "not", Map.of("const", 1)));

    private SharedFields() {}

    static Field name() {
        return Field.text("name", 1, 255).defaultsToKey().about("The name for people. Left out: the key.");
    }

    static Field description() {
        return Field.text("description", 2000).about("A text for people.");
    }

    static Field badgeUrl() {
        return Field.text("badgeUrl").must(SharedFields::urlProblem).adminName("badge.url").clearable()
                .shownMissing(Field.Missing.NULL).schema(WEB_ADDRESS)
                .about("Where the picture is: an absolute http or https address.");
    }

    static Field metric() {
        return Field.reference("metric", METRICS).required().adminName("metricId")
                .about("The key of a metric of this ruleset.");
    }

    static Field streakLength() {
        return Field.count("streakLength", 1, MAX_COUNT).required().as("length")
                .about("A length of the streak, in periods. With 'streak' only.");
    }

    static Field userAttributes() {
        return filters("userAttributes", USER_ATTRIBUTES)
                .about("For whom it is, as values by the key of a user attribute: all must match at the moment it is looked "
                        + "at. Left out: for everyone.");
    }

    static Field eventAttributes() {
        return filters("eventAttributes", EVENT_ATTRIBUTES)
                .about("Which events count, as values by the key of an event attribute: all must match. What is compared is "
                        + "then the sum of matching events since this became active; with other values here it starts "
                        + "anew. Left out: all events, and the user's total. With 'metric' only.");
    }

    private static Field filters(String name, Target attributes) {
        return Field.valuesOf(name, attributes, new Type.Text(0, MAX_FILTER_LENGTH), MAX_FILTERS,
                AttributeFilter.class).adminEntries("attributeId", "attributeValue").clearable();
    }

    /** What an address must be; null if it is. */
    static String urlProblem(String url) {
        boolean isWeb;
        try {
            var uri = new URI(url);
            isWeb = ServerAddress.isIn(uri)
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException _) {
            isWeb = false;
        }
        return isWeb ? null : "must be an absolute http or https address";
    }

    /** What goes into a header, where a second line would be another header. */
    static String lineProblem(String text) {
        return text.chars().anyMatch(Character::isISOControl) ? "must be one line, without control characters" : null;
    }

    /** Checks that {@code end} is not before {@code start}; either may be left out. */
    static void dates(IssueList issues, String path, Draft draft) {
        String start = draft.text("start");
        String end = draft.text("end");
        // The order of days is that of their texts.
        issues.expect(!Type.Day.isDay(start) || !Type.Day.isDay(end) || end.compareTo(start) >= 0, path + "/end",
                "must not be before start, " + start);
    }
}
