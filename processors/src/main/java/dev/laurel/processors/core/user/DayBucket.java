package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Amounts;
import java.math.BigDecimal;

/**
 * What happened to one metric of one user on one local day.
 *
 * @param change the sum of the values
 * @param positive whether any single value was above 0
 */
public record DayBucket(BigDecimal change, boolean positive) {

    public static final DayBucket NONE = new DayBucket(BigDecimal.ZERO, false);

    public DayBucket plus(BigDecimal value) {
        return new DayBucket(Amounts.canonical(change.add(value)), positive || value.signum() > 0);
    }
}
