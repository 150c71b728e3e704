package dev.laurel.core.user;

import dev.laurel.schemas.ruleset.Boost.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A boost of a single user. Days are epoch days.
 *
 * @param system number of the points system
 * @param end last day, inclusive, or {@link #OPEN}
 */
public record UserBoost(
        UUID id,
        int system,
        String name,
        int start,
        int end,
        BigDecimal multiplier,
        Rounding rounding,
        long createdMs) {

    public static final int OPEN = Integer.MAX_VALUE;

    public LocalDate firstDate() {
        return LocalDate.ofEpochDay(start);
    }

    /** Null: no end. */
    public @Nullable LocalDate lastDate() {
        return end == OPEN ? null : LocalDate.ofEpochDay(end);
    }

    boolean isActiveOn(int day) {
        return start <= day && day <= end;
    }
}
