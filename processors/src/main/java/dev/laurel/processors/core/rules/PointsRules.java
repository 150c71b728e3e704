package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A compiled points system. A compiled ruleset has one per system, so that identity is equality.
 *
 * @param index of the system in ruleset order
 * @param boosts in the order of creation, then in ruleset order
 * @param boards the open leaderboards that compare the system, in ruleset order
 */
public record PointsRules(PointsSystem system, int index, List<BoostRule> boosts, List<BoardRules> boards) {

    static PointsRules of(PointsSystem system, int index, List<BoardRules> boards) {
        return new PointsRules(system, index, system.boosts().stream().map(BoostRule::of)
                .sorted(Comparator.comparingLong(BoostRule::createdMs)).toList(), boards);
    }

    /**
     * A trigger that pays every {@code intervalMs} (docs/semantics.md §6 "time").
     *
     * @param activatedMs the beginning of the first interval of users who exist by then
     */
    public record IntervalTrigger(PaidTrigger paid, long intervalMs, long activatedMs) {}

    /** A trigger and the rules of its points system. */
    public record PaidTrigger(PointsRules rules, PointsTrigger trigger) {

        public PointsSystem system() {
            return rules.system();
        }
    }

    /**
     * A boost of the ruleset with its dates as epoch days.
     *
     * @param end inclusive; {@link Integer#MAX_VALUE}: no end
     */
    public record BoostRule(Boost boost, int start, int end, long createdMs) {

        private static final long DAY_MS = Duration.ofDays(1).toMillis();

        /** A date first begins in UTC+14. */
        private static final long BEGINS_MS = Duration.ofHours(10).toMillis() - DAY_MS;

        /** A date last ends in UTC-12; one hour is added for events in transit. */
        private static final long HAS_ENDED_MS = Duration.ofHours(13).toMillis() + DAY_MS;

        static BoostRule of(Boost boost) {
            return new BoostRule(boost, Math.toIntExact(boost.start().toEpochDay()),
                    boost.end() == null ? Integer.MAX_VALUE : Math.toIntExact(boost.end().toEpochDay()),
                    boost.created().toEpochMilli());
        }

        /** When its start is announced: 10:00 UTC on the day before (docs/webhooks.md §3 "Global boosts"). */
        public long startAnnouncedMs() {
            return start * DAY_MS + BEGINS_MS;
        }

        /** When its end is announced: 13:00 UTC on the day after; {@link Long#MAX_VALUE} without an end. */
        public long endAnnouncedMs() {
            return end == Integer.MAX_VALUE ? Long.MAX_VALUE : end * DAY_MS + HAS_ENDED_MS;
        }

        /** @param day the user's local day; @param attributes the user's */
        public boolean isActiveFor(int day, Map<String, String> attributes) {
            return start <= day && day <= end && AttributeFilters.match(boost.userAttributes(), attributes);
        }
    }
}
