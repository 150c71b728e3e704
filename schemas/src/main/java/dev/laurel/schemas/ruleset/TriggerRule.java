package dev.laurel.schemas.ruleset;

import java.util.List;

/** When a points trigger pays (docs/semantics.md §6). */
public sealed interface TriggerRule {

    /**
     * Each time the metric's total passes another multiple of {@code threshold}; with filters, the sum of the matching
     * events since the trigger became active.
     *
     * @param eventAttributes filters on events, empty if every event counts
     * @param blockIfOutOfPoints refuse an event whose deduction would go below zero
     */
    record MetricThreshold(String metric, long threshold, List<AttributeFilter> eventAttributes,
            boolean blockIfOutOfPoints) implements TriggerRule {

        public MetricThreshold {
            eventAttributes = eventAttributes == null ? List.of() : List.copyOf(eventAttributes);
        }
    }

    /** When that achievement, named by its key, is completed; not by backdating. */
    record AchievementCompletion(String achievement) implements TriggerRule {}

    /** When the streak reaches exactly this length. */
    record StreakReached(int length) implements TriggerRule {}

    /** Every {@code interval} hours or days of real time, from the later of user creation and activation. */
    record TimeInterval(IntervalUnit unit, int interval) implements TriggerRule {

        private static final long MS_PER_HOUR = 3_600_000;

        public long intervalMs() {
            return interval * (unit == IntervalUnit.HOURS ? MS_PER_HOUR : 24 * MS_PER_HOUR);
        }
    }

    /** Once, when the user is created. */
    record UserCreation() implements TriggerRule {}

    /** Units of real time: a day has 24 hours. */
    enum IntervalUnit {
        HOURS, DAYS
    }
}
