package dev.laurel.core.analytics;

import dev.laurel.core.user.IntKeyedMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A group of users that is counted on its own: the users inside or outside the control group, or those with one value of an analytics
 * attribute. Each user is in one of the former, so these two add up to all users.
 *
 * @param attribute the number of the attribute; {@link #CONTROL} if the group is one of the control group
 * @param value {@link #OTHER}, or the value as {@link #nameOf} says
 */
public record Segment(int attribute, String value) {

    /** The place of the control group among the attributes, whose numbers begin with 1. */
    public static final int CONTROL = 0;

    /** How many values of an attribute are counted on their own; users with others are counted together. */
    public static final int MAX_VALUES = 100;

    /** The place of all attributes together, below those of the others. */
    public static final int ALL_ATTRIBUTES = -1;

    public static final String OTHER = "(other)";

    /** How texts name the users without a value, who have no segment. */
    public static final String NONE = "(none)";

    public static final Segment INSIDE = new Segment(CONTROL, "true");
    public static final Segment OUTSIDE = new Segment(CONTROL, "false");

    /** The segments of users by the control group alone. */
    private static final List<Segment> ONLY_INSIDE = List.of(INSIDE);

    private static final List<Segment> ONLY_OUTSIDE = List.of(OUTSIDE);

    /**
     * The name of a value: the value itself, with a backslash before one that would be taken for the name of {@code bucket}, or for such a
     * name with a backslash.
     */
    public static String nameOf(String value, String bucket) {
        return value.endsWith(bucket)
                        && value.chars()
                                .limit((long) value.length() - bucket.length())
                                .allMatch(c -> c == '\\')
                ? '\\' + value
                : value;
    }

    /** The segment of users with values of the attribute that are not counted on their own. */
    public Segment ofOtherValues() {
        return new Segment(attribute, OTHER);
    }

    /**
     * The segment of the users who have exactly these attributes. The value is a list of texts, keys in order, each with its length before
     * it.
     */
    static Segment ofAttributes(Map<String, String> attributes) {
        var text = new StringBuilder();
        new TreeMap<>(attributes)
                .forEach((key, value) -> text.append(key.length())
                        .append(':')
                        .append(key)
                        .append(value.length())
                        .append(':')
                        .append(value));
        return new Segment(ALL_ATTRIBUTES, text.toString());
    }

    /** The attributes of the users of such a segment. */
    public static Map<String, String> attributesOf(String value) {
        var texts = new ArrayList<String>();
        for (int at = 0; at < value.length(); ) {
            int from = value.indexOf(':', at) + 1;
            at = from + Integer.parseInt(value, at, from - 1, 10);
            texts.add(value.substring(from, at));
        }
        var attributes = new HashMap<String, String>();
        for (int i = 0; i < texts.size(); i += 2) {
            attributes.put(texts.get(i), texts.get(i + 1));
        }
        return attributes;
    }

    /** The segments of a user with these values of analytics attributes, that of the control group first. */
    static List<Segment> of(boolean isControl, IntKeyedMap<String> values) {
        List<Segment> byControl = isControl ? ONLY_INSIDE : ONLY_OUTSIDE;
        if (values.size() == 0) {
            return byControl;
        }
        var segments = new ArrayList<Segment>(byControl);
        for (int i = 0; i < values.size(); i++) {
            segments.add(new Segment(values.numberAt(i), nameOf(values.valueAt(i), OTHER)));
        }
        return segments;
    }
}
