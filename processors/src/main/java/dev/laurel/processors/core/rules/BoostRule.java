package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Boost;
import java.time.Duration;
import java.util.Map;

/**
 * A boost of the ruleset with its dates as epoch days.
 *
 * @param end inclusive; {@link Integer#MAX_VALUE} if open
 */
public record BoostRule(Boost boost, int start, int end, long createdMs) {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** A date begins first at UTC+14. */
    private static final long BEGINS_MS = Duration.ofHours(10).toMillis() - DAY_MS;

    /** It ends last at UTC-12, and then there is an hour for what is on its way. */
    private static final long HAS_ENDED_MS = Duration.ofHours(13).toMillis() + DAY_MS;

    static BoostRule of(Boost boost) {
        return new BoostRule(boost, Math.toIntExact(boost.start().toEpochDay()),
                boost.end() == null ? Integer.MAX_VALUE : Math.toIntExact(boost.end().toEpochDay()),
                boost.created().toEpochMilli());
    }

    /** When its start is told: 10:00 UTC on the day before (webhooks.md §3 "Global boosts"). */
    public long startToldMs() {
        return start * DAY_MS + BEGINS_MS;
    }

    /** When its end is told: 13:00 UTC on the day after; {@link Long#MAX_VALUE} if it is open. */
    public long endToldMs() {
        return end == Integer.MAX_VALUE ? Long.MAX_VALUE : end * DAY_MS + HAS_ENDED_MS;
    }

    /** @param day the user's local day; @param attributes the user's */
    public boolean isActiveFor(int day, Map<String, String> attributes) {
        return start <= day && day <= end && AttributeFilters.match(boost.userAttributes(), attributes);
    }
}
