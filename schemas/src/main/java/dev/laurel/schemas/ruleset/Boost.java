package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Multiplies positive awards of a points system for all users, or for those whose attributes match (docs/semantics.md §6). A
 * personal boost is not part of the ruleset: a command of its user grants it.
 *
 * @param key unique in its points system
 * @param start first day, in each user's local time
 * @param end last day; null if the boost has no end
 * @param multiplier above 0, below 100, not 1
 * @param userAttributes filters on users; all must match
 * @param created creation time; among several boosts, the rounding of the newest applies
 */
public record Boost(
        int number,
        UUID id,
        String key,
        String name,
        LocalDate start,
        @Nullable LocalDate end,
        BigDecimal multiplier,
        Rounding rounding,
        List<AttributeFilter> userAttributes,
        Instant created) {

    /**
     * Multiplies awards, but not deductions, on whole days of each user's local time. The multipliers of simultaneous boosts are
     * multiplied; the result is rounded once (docs/admin-api.md A4).
     */
    public static final Kind<Boost> KIND = Kind.of(
                    "boost",
                    Boost.class,
                    SharedFields.name(),
                    // The first day.
                    // API: The first day. Can change only before the boost has started.
                    Field.day("start").required(),
                    // The last day, not before the first. Left out: no end.
                    // API: The last day, inclusive; not before start. Left out: no end.
                    Field.day("end").clearable().shownMissing(Missing.NULL),
                    // Above 0 and below 100, not 1, with at most 9 fractional digits.
                    // API: What awards are multiplied by: above 0 and below 100, not 1, with at most 9 fractional
                    // digits.
                    Field.typed("multiplier", SharedFields.MULTIPLIER).required(),
                    // How an award is rounded to a whole number; 'nearest' rounds a half up. Among several boosts, the
                    // rounding of the newest
                    // applies.
                    Field.word("rounding", Rounding.class).defaultsTo("down"),
                    SharedFields.userAttributes())
            .identified(Keys.ID)
            .check(SharedFields::dates)
            .requiredAtCreation("name", "start", "multiplier")
            .shown("id", "name", "status", "start", "end", "multiplier", "rounding", "userId", "userAttributes");

    public Boost {
        userAttributes = Records.listOf(userAttributes);
    }

    /** The rounding of a boosted award to a whole number. */
    public enum Rounding {
        DOWN,
        UP,
        /** Half up. */
        NEAREST
    }
}
