package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A compiled points system. A compiled ruleset has one per system, so that identity is equality. */
public final class PointsRules {

    private final PointsSystem system;
    private final int index;
    private final List<BoostRule> boosts;
    private final List<LeaderboardRules> boards;
    private final List<PaidTrigger> paid;
    private final List<IntervalTrigger> intervals;

    private PointsRules(PointsSystem system, int index, List<LeaderboardRules> boards) {
        this.system = system;
        this.index = index;
        this.boosts = system.boosts().stream()
                .map(BoostRule::of)
                .sorted(Comparator.comparingLong(BoostRule::createdMs))
                .toList();
        this.boards = boards;
        this.paid = system.triggers().stream()
                .filter(PointsTrigger::isActive)
                .map(trigger -> new PaidTrigger(this, trigger))
                .toList();
        this.intervals = paid.stream().flatMap(IntervalTrigger::of).toList();
    }

    /** The compiled systems of a ruleset. */
    static List<PointsRules> of(List<PointsSystem> systems, LeaderboardIndex boards) {
        var rules = new ArrayList<PointsRules>(systems.size());
        for (PointsSystem system : systems) {
            rules.add(new PointsRules(system, rules.size(), boards.openOf(new RankBy.PointsTotal(system.key()))));
        }
        return List.copyOf(rules);
    }

    public PointsSystem system() {
        return system;
    }

    /** Of the system in ruleset order. */
    public int index() {
        return index;
    }

    /** In the order of creation, then in ruleset order. */
    public List<BoostRule> boosts() {
        return boosts;
    }

    /** The open leaderboards that compare the system, in ruleset order. */
    public List<LeaderboardRules> boards() {
        return boards;
    }

    /** The active triggers, in ruleset order. */
    List<PaidTrigger> paid() {
        return paid;
    }

    /** The active triggers that pay as time passes, in ruleset order. */
    List<IntervalTrigger> intervals() {
        return intervals;
    }

    /**
     * A trigger that pays every {@code intervalMs} (docs/semantics.md §6 "time").
     *
     * @param activatedMs the beginning of the first interval of users who exist by then
     */
    public record IntervalTrigger(PaidTrigger paid, long intervalMs, long activatedMs) {

        private static Stream<IntervalTrigger> of(PaidTrigger paid) {
            if (!(paid.trigger().rule() instanceof TriggerRule.TimeInterval every)) {
                return Stream.empty();
            }
            Instant activated = Objects.requireNonNull(paid.trigger().activated(), "the trigger is active");
            return Stream.of(new IntervalTrigger(paid, every.intervalMs(), activated.toEpochMilli()));
        }
    }

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
            return new BoostRule(
                    boost,
                    Math.toIntExact(boost.start().toEpochDay()),
                    boost.end() == null
                            ? Integer.MAX_VALUE
                            : Math.toIntExact(boost.end().toEpochDay()),
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
