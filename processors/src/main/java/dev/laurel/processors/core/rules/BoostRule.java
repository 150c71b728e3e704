package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Boost;
import java.util.Map;

/**
 * A boost of the ruleset with its dates as epoch days.
 *
 * @param end inclusive; {@link Integer#MAX_VALUE} if open
 */
public record BoostRule(Boost boost, int start, int end, long createdMs) {

    static BoostRule of(Boost boost) {
        return new BoostRule(boost, Math.toIntExact(boost.start().toEpochDay()),
                boost.end() == null ? Integer.MAX_VALUE : Math.toIntExact(boost.end().toEpochDay()),
                boost.created().toEpochMilli());
    }

    /** @param day the user's local day; @param attributes the user's */
    public boolean isActiveFor(int day, Map<String, String> attributes) {
        return start <= day && day <= end && AttributeFilters.match(boost.userAttributes(), attributes);
    }
}
