package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * Multiplies positive awards of a points system for all users, or for those whose attributes match (semantics.md §6). A
 * boost of a single user is not here: it is a command of that user.
 *
 * @param key unique in its points system
 * @param start first day, in each user's local time
 * @param end last day, null if open
 * @param multiplier above 0, below 100, not 1
 * @param userAttributes whose awards: all must match
 * @param created decides whose rounding is used where several boosts disagree
 */
public record Boost(int number, UUID id, String key, String name, LocalDate start, LocalDate end,
        BigDecimal multiplier, Rounding rounding, List<AttributeFilter> userAttributes, Instant created) {

    public Boost {
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }
}
