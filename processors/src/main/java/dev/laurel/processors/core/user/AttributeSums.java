package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Amounts;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the events of one metric, user and day come to by each value of each of their attributes. Immutable.
 *
 * <p>The newest day's lie in the state that is written with every event, so they are bounded: of an attribute the first
 * {@value #MAX_VALUES} different values of a day are told apart, and of all attributes together as many as
 * {@value #MAX_TEXT} characters hold. Events with other values count everywhere but here.
 *
 * @param values by the attribute's number, never an empty map; not to be changed
 */
public record AttributeSums(Numbered<SortedMap<String, BigDecimal>> values) {

    public static final int MAX_VALUES = 100;
    public static final int MAX_TEXT = 2_048;

    public static final AttributeSums NONE = new AttributeSums(Numbered.empty());

    /** What a value takes beside its text. */
    private static final int ROOM_OF_NUMBER = 8;

    public boolean isEmpty() {
        return values.size() == 0;
    }

    /** @param attributes of the event, by their numbers; taken in this order, so that a full day is full in any replay */
    AttributeSums plus(BigDecimal value, Numbered<String> attributes) {
        AttributeSums sums = this;
        for (int i = 0; i < attributes.size(); i++) {
            sums = sums.plus(value, attributes.numberAt(i), attributes.valueAt(i));
        }
        return sums;
    }

    private AttributeSums plus(BigDecimal value, int attribute, String text) {
        SortedMap<String, BigDecimal> known = values.get(attribute);
        BigDecimal sum = known == null ? null : known.get(text);
        if (sum == null && !hasRoom(known, text)) {
            return this;
        }
        var grown = known == null ? new TreeMap<String, BigDecimal>() : new TreeMap<>(known);
        grown.put(text, sum == null ? value : Amounts.canonical(sum.add(value)));
        return new AttributeSums(values.with(attribute, Collections.unmodifiableSortedMap(grown)));
    }

    /** @param known values of the same attribute, null if there are none */
    private boolean hasRoom(SortedMap<String, BigDecimal> known, String text) {
        if (known != null && known.size() >= MAX_VALUES) {
            return false;
        }
        int taken = text.length() + ROOM_OF_NUMBER;
        for (int i = 0; i < values.size(); i++) {
            for (String other : values.valueAt(i).keySet()) {
                taken += other.length() + ROOM_OF_NUMBER;
            }
        }
        return taken <= MAX_TEXT;
    }
}
