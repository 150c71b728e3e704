package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.UUID;

/**
 * A custom attribute that requests may set. The key is unique among attributes of the same type.
 *
 * @param analytics whether reports can be divided by its values (docs/analytics.md §1); never for attributes of events
 */
public record Attribute(int number, UUID id, String key, String name, AttributeType type, Boolean analytics) {

    /** The most attributes by whose values reports are divided, since each multiplies the counters. */
    private static final int MAX_ANALYTICS = 5;

    /** A custom attribute, whose values are text (docs/admin-api.md A2). */
    public static final Kind<Attribute> KIND = Kind.of(
                    "attribute",
                    Attribute.class,
                    SharedFields.name(),
                    // Whether reports of analytics can be divided by the values of this attribute: for at most 5
                    // attributes, all of users. It
                    // applies to what is counted from then on.
                    // API: Whether reports can be divided by its values; for at most 5 attributes, all of users. It
                    // applies to what is counted
                    // from then on.
                    Field.flag("analytics").defaultsTo(false))
            .identified(Keys.GIVEN)
            .requiredAtCreation("type", "name")
            .shown("id", "name", "key", "type", "analytics");

    /** The objects that an attribute describes. */
    public enum AttributeType {
        USER,
        EVENT
    }

    public Attribute {
        analytics = analytics != null && analytics; // Older documents lack it.
    }

    /** Checks that at most {@value #MAX_ANALYTICS} attributes of users divide reports. */
    public static void checkUsers(IssueList issues, String path, FieldMap attributes) {
        check(issues, path, attributes, MAX_ANALYTICS, "must be true for at most " + MAX_ANALYTICS + " attributes");
    }

    /** Checks that no attribute of events divides reports. */
    public static void checkEvents(IssueList issues, String path, FieldMap attributes) {
        check(issues, path, attributes, 0, "must be false: reports are divided by attributes of users only");
    }

    private static void check(IssueList issues, String path, FieldMap attributes, int most, String problem) {
        attributes.values().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof FieldMap one && Boolean.TRUE.equals(one.get("analytics")))
                .skip(most)
                .forEach(entry -> issues.add(path + "/" + IssueList.escaped(entry.getKey()) + "/analytics", problem));
    }

    /** Requires a value of an attribute, by its key. Several filters must all match (docs/semantics.md §4, §6). */
    public record AttributeFilter(String attribute, String value) {}
}
