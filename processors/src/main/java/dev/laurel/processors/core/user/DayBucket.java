package dev.laurel.processors.core.user;

import dev.laurel.schemas.input.Amounts;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one metric or points system of one user on one local day.
 *
 * @param change the sum of the values
 * @param positive whether any single value was above 0
 * @param events number of events; 1 for points, whose awards are not counted
 * @param attributes the sums of the events by attribute
 */
public record DayBucket(BigDecimal change, boolean positive, int events, AttributeSums attributes) {

    public static final DayBucket NONE = new DayBucket(BigDecimal.ZERO, false, 0, AttributeSums.NONE);

    /** A bucket of changes that are not counted one by one. */
    public static DayBucket uncounted(BigDecimal change, boolean positive) {
        return new DayBucket(change, positive, 1, AttributeSums.NONE);
    }

    /** The bucket with one more event. @param eventAttributes by their numbers */
    public DayBucket plus(BigDecimal value, IntKeyedMap<String> eventAttributes) {
        return new DayBucket(Amounts.canonical(change.add(value)), positive || value.signum() > 0, events + 1,
                eventAttributes.size() == 0 ? attributes : attributes.plus(value, eventAttributes));
    }

    /**
     * The sums of the events of one metric, user and day by the values of their attributes. Immutable.
     *
     * <p>The newest day's sums are in the state that is written with every event, so they are bounded: of an attribute the
     * first {@value #MAX_VALUES} different values of a day are kept apart, and of all attributes together as many as
     * {@value #MAX_TEXT} characters hold. Events with other values count everywhere except here.
     *
     * @param values by the attribute's number, never an empty map; not to be changed
     */
    public record AttributeSums(IntKeyedMap<SortedMap<String, BigDecimal>> values) {

        public static final int MAX_VALUES = 100;
        public static final int MAX_TEXT = 2_048;

        public static final AttributeSums NONE = new AttributeSums(IntKeyedMap.empty());

        /** The size of a value beside its text. */
        private static final int ROOM_OF_NUMBER = 8;

        public boolean isEmpty() {
            return values.size() == 0;
        }

        /** @param attributes of the event, by their numbers; taken in this order, so that a full day is full in any replay */
        AttributeSums plus(BigDecimal value, IntKeyedMap<String> attributes) {
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
        private boolean hasRoom(@Nullable SortedMap<String, BigDecimal> known, String text) {
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
}
