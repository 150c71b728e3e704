package dev.laurel.core.analytics;

import dev.laurel.schemas.ruleset.Attribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The users of one series of a report, as segments whose counters are added or subtracted.
 *
 * @param attribute the name by which the report is divided; null if it is not
 * @param value of the users of this series; null: users without a value
 */
public record SegmentGroup(
        @Nullable String attribute, @Nullable Object value, List<Segment> added, List<Segment> subtracted) {

    /** The name of the division by the control group. */
    public static final String CONTROL = "control";

    private static final List<Segment> EVERYBODY = List.of(Segment.OUTSIDE, Segment.INSIDE);

    /** All users. */
    public static final SegmentGroup ALL = new SegmentGroup(null, null, EVERYBODY, List.of());

    public static final SegmentGroup TREATMENT = new SegmentGroup(CONTROL, false, List.of(Segment.OUTSIDE), List.of());
    public static final SegmentGroup IN_CONTROL = new SegmentGroup(CONTROL, true, List.of(Segment.INSIDE), List.of());

    /** The groups of a report that is divided by the control group. */
    public static List<SegmentGroup> byControl() {
        return List.of(TREATMENT, IN_CONTROL);
    }

    /**
     * The groups of a report that is divided by an attribute: its values, then other values, then no value. Partitions may count different
     * values on their own, so those beyond the first {@link Segment#MAX_VALUES} count as other values here, too.
     *
     * @param values those that some partition counts on their own
     */
    public static List<SegmentGroup> by(Attribute attribute, List<String> values) {
        var groups = new ArrayList<SegmentGroup>();
        var others = new ArrayList<Segment>();
        var all = new ArrayList<Segment>();
        for (String value : values) {
            if (value.equals(Segment.OTHER)) {
                continue; // Counted before users with this value were counted apart from those with other values.
            }
            var segment = new Segment(attribute.number(), value);
            all.add(segment);
            if (groups.size() < Segment.MAX_VALUES) {
                groups.add(new SegmentGroup(attribute.key(), value, List.of(segment), List.of()));
            } else {
                others.add(segment);
            }
        }
        if (values.size() >= Segment.MAX_VALUES || values.contains(Segment.OTHER)) {
            var other = new Segment(attribute.number(), Segment.OTHER);
            all.add(other);
            others.add(other);
            groups.add(new SegmentGroup(attribute.key(), Segment.OTHER, others, List.of()));
        }
        groups.add(new SegmentGroup(attribute.key(), null, EVERYBODY, all));
        return groups;
    }

    /** The label of the series: the value by the name of the division; empty if the report is not divided. */
    public Map<String, @Nullable Object> label() {
        if (attribute == null) {
            return Map.of();
        }
        var label = new HashMap<String, @Nullable Object>();
        label.put(attribute, value);
        return label;
    }

    /** Passes on each segment with 1 if its counters are added, or -1 if they are subtracted. */
    public void forEach(ObjIntConsumer<Segment> action) {
        added.forEach(segment -> action.accept(segment, 1));
        subtracted.forEach(segment -> action.accept(segment, -1));
    }
}
