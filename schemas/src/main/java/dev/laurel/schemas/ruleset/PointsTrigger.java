package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Awards or deducts points.
 *
 * @param number see {@link Ruleset}; a trigger that starts anew (its rule was edited, it is active again) gets a new one,
 *            and with it new counts
 * @param key unique in its points system; it ties the trigger to its entry in {@code laurel.yaml}
 * @param points never 0; negative deducts
 * @param userAttributes whom it pays: all must match at the moment of evaluation
 * @param activated time at which the present rule came into force; null while inactive
 */
public record PointsTrigger(int number, UUID id, String key, TriggerRule rule, long points, TriggerStatus status,
        List<AttributeFilter> userAttributes, Instant created, Instant updated, Instant activated) {

    private static final long MAX_AWARD = 1_000_000_000;

    /** docs/admin-api.md A4. */
    public static final Kind<PointsTrigger> KIND = Kind.of("trigger", PointsTrigger.class,
            Field.variant("type",
                    Map.of("metric", TriggerRule.MetricThreshold.class, "achievement",
                            TriggerRule.AchievementCompletion.class, "streak", TriggerRule.StreakReached.class, "time",
                            TriggerRule.TimeInterval.class, "user_creation", TriggerRule.UserCreation.class),
                    "metric", "achievement", "streak", "time", "user_creation").as("rule").required()
                    .adminWords("metric", "achievement", "streak", "time", "user_creation")
                    .about("When it pays. 'metric': each time the user's total of a metric passes another multiple of the "
                            + "threshold, never twice for the same one. 'achievement': when an achievement is completed. "
                            + "'streak': when the streak reaches exactly a length. 'time': again and again after an interval. "
                            + "'user_creation': once, when the user is created."),
            Field.word("status", TriggerStatus.class).defaultsTo("active").atCreation("inactive")
                    .about("Whether it pays."),
            SharedFields.metric().of("type", "metric"),
            Field.whole("threshold", 1, SharedFields.MAX_POINTS).of("type", "metric").required()
                    .adminName("metricThreshold").about("The step between two awards. With 'metric' only."),
            SharedFields.eventAttributes().of("type", "metric"),
            Field.flag("blockIfOutOfPoints").of("type", "metric").defaultsTo(false).shownOtherwise(false)
                    .about("Whether an event whose deduction would go below zero is refused. With 'metric' only, and for "
                            + "negative points.")
                    .adminAbout(
                            "Refuses an event that would take more points than there are; for `metric` with negative "
                                    + "points."),
            Field.reference("achievement", SharedFields.ACHIEVEMENTS).of("type", "achievement").required()
                    .adminName("achievementId").about("The key of an achievement of this ruleset."),
            SharedFields.streakLength().of("type", "streak"),
            Field.word("timeUnit", TriggerRule.IntervalUnit.class).of("type", "time").required().as("unit")
                    .about("The unit of the interval, in real time: a day has 24 hours. With 'time' only."),
            Field.count("timeInterval", 1, SharedFields.MAX_COUNT).of("type", "time").required().as("interval")
                    .about("How many hours or days lie between two awards. With 'time' only."),
            Field.wholeNotZero("points", -MAX_AWARD, MAX_AWARD).required()
                    .about("Points per award; negative deducts, 0 is not allowed."),
            SharedFields.userAttributes())
            .identified(Keys.ID)
            .about("Awards or deducts points. A trigger whose rule is edited, or that is active again, starts anew; editing its "
                    + "points or whom it pays does not.")
            .requiredAtCreation("type")
            .shown("id", "type", "points", "status", "userAttributes", "blockIfOutOfPoints", "metricId",
                    "metricThreshold", "eventAttributes", "achievementId", "streakLength", "timeUnit", "timeInterval");

    public PointsTrigger {
        if (status == null) {
            // Written before triggers had a status: only what starts anew had changed it.
            status = TriggerStatus.ACTIVE;
            activated = updated;
        }
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }

    public boolean isActive() {
        return status == TriggerStatus.ACTIVE;
    }

    /** Whether a points trigger pays. */
    public enum TriggerStatus {
        ACTIVE, INACTIVE
    }

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
}
