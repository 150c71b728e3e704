package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * Multiplies positive awards of a points system for all users, or for those whose attributes match (docs/semantics.md §6). A
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

    /** docs/admin-api.md A4. */
    public static final Kind<Boost> KIND = Kind.of("boost", Boost.class, SharedFields.name(),
            Field.day("start").required().about("The first day.").adminAbout("Changes only before it started."),
            Field.day("end").clearable().shownMissing(Missing.NULL)
                    .about("The last day, not before the first. Left out: none.")
                    .adminAbout("Inclusive, not before start."),
            Field.typed("multiplier", SharedFields.MULTIPLIER).required()
                    .about("Above 0 and below 100, not 1, with at most 9 fractional digits."),
            Field.word("rounding", Rounding.class).defaultsTo("down")
                    .about("How an award becomes a whole number; 'nearest' takes a half up. Where boosts disagree, the one that "
                            + "was created last decides."),
            SharedFields.userAttributes())
            .identified(Keys.ID).check(SharedFields::dates)
            .about("Multiplies awards, not deductions, on whole days of each user's local time. Several at once multiply each "
                    + "other; the result is rounded once.")
            .requiredAtCreation("name", "start", "multiplier")
            .shown("id", "name", "status", "start", "end", "multiplier", "rounding", "userId", "userAttributes");

    public Boost {
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }

    /** How a boosted award becomes a whole number. */
    public enum Rounding {
        DOWN, UP,
        /** Half up. */
        NEAREST
    }
}
