package dev.laurel.core.user;

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
 * @param events number of events; always 1 for points
 * @param attributes the sums of the events by attribute
 */
public record DayBucket(BigDecimal change, boolean positive, int events, AttributeSums attributes) {

    public static final DayBucket NONE = new DayBucket(BigDecimal.ZERO, false, 0, AttributeSums.NONE);

    /** A bucket of a points system, which does not count its awards. */
    public static DayBucket uncounted(BigDecimal change) {
        return new DayBucket(change, change.signum() > 0, 1, AttributeSums.NONE);
    }

    /** The bucket with one more event. @param eventAttributes by their numbers */
    public DayBucket plus(BigDecimal value, IntKeyedMap<String> eventAttributes) {
        return new DayBucket(
                Amounts.canonical(change.add(value)),
                positive || value.signum() > 0,
                events + 1,
                eventAttributes.size() == 0 ? attributes : attributes.plus(value, eventAttributes));
    }

    /**
     * The sums of the events of one metric, user and day by the values of their attributes. Immutable.
     *
     * <p>The sums of the newest day are part of the state that every event rewrites, so their size is limited: there are sums
     * for the first {@value #MAX_VALUES} values of each attribute, and for at most {@value #MAX_TEXT} characters of values in
     * total. Events with further values have no sum here.
     *
     * @param values sums by attribute number and value; no map is empty
     * @param isTruncated whether an event had a value without a sum
     */
    public record AttributeSums(IntKeyedMap<SortedMap<String, BigDecimal>> values, boolean isTruncated) {

        public static final int MAX_VALUES = 100;
        public static final int MAX_TEXT = 2_048;

        public static final AttributeSums NONE = new AttributeSums(IntKeyedMap.empty(), false);

        /** The size of a sum, which counts like characters. */
        private static final int SUM_SIZE = 8;

        public boolean isEmpty() {
            return values.size() == 0 && !isTruncated;
        }

        /** Adds in the order of attribute numbers, so that a replay drops the same values. */
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
                return isTruncated ? this : new AttributeSums(values, true);
            }
            var grown = known == null ? new TreeMap<String, BigDecimal>() : new TreeMap<>(known);
            grown.put(text, sum == null ? value : Amounts.canonical(sum.add(value)));
            return new AttributeSums(values.with(attribute, Collections.unmodifiableSortedMap(grown)), isTruncated);
        }

        private boolean hasRoom(@Nullable SortedMap<String, BigDecimal> known, String text) {
            if (known != null && known.size() >= MAX_VALUES) {
                return false;
            }
            int size = text.length() + SUM_SIZE;
            for (int i = 0; i < values.size(); i++) {
                for (String other : values.valueAt(i).keySet()) {
                    size += other.length() + SUM_SIZE;
                }
            }
            return size <= MAX_TEXT;
        }
    }
}
