package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.schemas.command.Amounts;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How something went over a period.
 *
 * @param total at its end
 * @param change within it
 */
record PeriodNumbers(BigDecimal total, BigDecimal change) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    PeriodNumbers {
        total = Amounts.canonical(total);
        change = Amounts.canonical(change);
    }

    static PeriodNumbers of(CountedDays days, Span span) {
        return new PeriodNumbers(days.totalAt(span.last()), days.changeIn(span));
    }

    /** The change in percent of what there was before, with one decimal; from nothing to something it is 100. */
    BigDecimal percent() {
        BigDecimal before = total.subtract(change);
        if (before.signum() == 0) {
            return change.signum() > 0 ? HUNDRED : BigDecimal.ZERO;
        }
        return Amounts.canonical(change.multiply(HUNDRED).divide(before, 1, RoundingMode.HALF_UP));
    }
}
