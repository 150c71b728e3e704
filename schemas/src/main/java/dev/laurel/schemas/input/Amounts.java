package dev.laurel.schemas.input;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Exact event values (docs/semantics.md §3): finite, at most 1e12 in size, at most nine fractional digits. */
public final class Amounts {

    public static final BigDecimal MAX = BigDecimal.valueOf(1_000_000_000_000L);
    public static final int MAX_FRACTION_DIGITS = 9;

    private Amounts() {}

    /** The problem of the value of an event; null if it is valid. Safe for any exponent. */
    public static @Nullable String problemWith(BigDecimal value) {
        if (value.signum() == 0) {
            return null;
        }
        long integerDigits = (long) value.precision() - value.scale();
        if (integerDigits > 13 || value.abs().compareTo(MAX) > 0) {
            return "must be at least -1000000000000 and at most 1000000000000";
        }
        if (value.scale() > MAX_FRACTION_DIGITS && value.stripTrailingZeros().scale() > MAX_FRACTION_DIGITS) {
            return "must have at most " + MAX_FRACTION_DIGITS + " fractional digits";
        }
        return null;
    }

    /** The canonical form. @throws IllegalArgumentException saying what is wrong with the value */
    public static BigDecimal checked(BigDecimal value) {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        return canonical(value);
    }

    /** The canonical form of a number, without trailing zeros and exponent. Equal numbers become equal objects and bytes. */
    public static BigDecimal canonical(BigDecimal value) {
        if (value.scale() == 0) {
            return value;
        }
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /**
     * A change in percent of the size of what was before, so that an increase is above 0 from a negative number, too. Null: nothing
     * was before, so that there is no such number.
     */
    public static @Nullable BigDecimal percent(BigDecimal change, BigDecimal before, int digits) {
        return before.signum() == 0
                ? null
                : canonical(change.movePointRight(2).divide(before.abs(), digits, RoundingMode.HALF_UP));
    }
}
