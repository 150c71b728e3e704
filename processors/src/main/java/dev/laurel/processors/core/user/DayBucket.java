package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Amounts;
import java.math.BigDecimal;

/**
 * What happened to one metric or points system of one user on one local day.
 *
 * @param change the sum of the values
 * @param positive whether any single value was above 0
 * @param events how many there were. Awards of points are not counted, nor were events once: there this is 1
 * @param attributes what the events that have attributes add up to
 */
public record DayBucket(BigDecimal change, boolean positive, int events, AttributeSums attributes) {

    public static final DayBucket NONE = new DayBucket(BigDecimal.ZERO, false, 0, AttributeSums.NONE);

    /** Of what is not counted one by one. */
    public static DayBucket uncounted(BigDecimal change, boolean positive) {
        return new DayBucket(change, positive, 1, AttributeSums.NONE);
    }

    /** With one more event. @param eventAttributes by their numbers */
    DayBucket plus(BigDecimal value, Numbered<String> eventAttributes) {
        return new DayBucket(Amounts.canonical(change.add(value)), positive || value.signum() > 0, events + 1,
                eventAttributes.size() == 0 ? attributes : attributes.plus(value, eventAttributes));
    }
}
