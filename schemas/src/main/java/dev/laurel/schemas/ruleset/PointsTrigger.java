package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Awards or deducts points.
 *
 * @param number see {@link Ruleset}; new whenever the trigger restarts its counts, because its rule was edited or because
 *        it is active again
 * @param objectNumber the first number, under which the account counts its points; the same for good
 * @param key unique in its points system; identifies the trigger in {@code laurel.yaml}
 * @param points points per award, never 0; a negative number deducts
 * @param userAttributes filters on users; all must match at the moment of evaluation
 * @param activated time at which the present rule came into force; null while inactive
 */
public record PointsTrigger(
        int number,
        int objectNumber,
        UUID id,
        String key,
        TriggerRule rule,
        long points,
        TriggerStatus status,
        List<AttributeFilter> userAttributes,
        Instant created,
        Instant updated,
        @Nullable Instant activated) {

    private static final long MAX_AWARD = 1_000_000_000;

    /**
     * Awards or deducts points. A trigger restarts its counts when its rule is edited or when it becomes active again, but not when its
     * points or userAttributes are edited (docs/admin-api.md A4).
     */
    public static final Kind<PointsTrigger> KIND = Kind.of(
                    "trigger",
                    PointsTrigger.class,
                    // When points are awarded. 'metric': each time the user's total of a metric passes another multiple
                    // of the threshold, once
                    // per multiple. 'achievement': when an achievement is completed. 'streak': when the streak reaches
                    // exactly a length. 'time':
                    // at regular intervals. 'user_creation': once, when the user is created. 'leaderboard': each time
                    // a run of a leaderboard
                    // becomes final, and the user has one of the ranks.
                    Field.variant(
                                    "type",
                                    List.of("metric", "achievement", "streak", "time", "user_creation", "leaderboard"),
                                    TriggerRule.MetricThreshold.class,
                                    TriggerRule.AchievementCompletion.class,
                                    TriggerRule.StreakReached.class,
                                    TriggerRule.TimeInterval.class,
                                    TriggerRule.UserCreation.class,
                                    TriggerRule.FinalRank.class)
                            .as("rule")
                            .required()
                            .sameAdminWords(),
                    // Whether the trigger awards points.
                    Field.word("status", TriggerStatus.class)
                            .defaultsTo("active")
                            .atCreation("inactive"),
                    SharedFields.metric().of("type", "metric"),
                    // The distance between two awards. With 'metric' only.
                    Field.whole("threshold", 1, SharedFields.MAX_POINTS)
                            .of("type", "metric")
                            .required()
                            .adminName("metricThreshold"),
                    SharedFields.eventAttributes().of("type", "metric"),
                    // Whether an event is refused if its deduction would make the total negative. With 'metric' and
                    // negative points only.
                    // API: Refuses an event whose deduction would make the total negative; for `metric` with negative
                    // points.
                    Field.flag("blockIfOutOfPoints")
                            .of("type", "metric")
                            .defaultsTo(false)
                            .shownOtherwise(false),
                    // The key of an achievement of this ruleset.
                    // API: The achievement whose completion awards the points.
                    Field.reference("achievement", SharedFields.ACHIEVEMENTS)
                            .of("type", "achievement")
                            .required()
                            .adminName("achievementId"),
                    SharedFields.streakLength().of("type", "streak"),
                    // The unit of the interval, in real time: a day has 24 hours. With 'time' only.
                    Field.word("timeUnit", TriggerRule.IntervalUnit.class)
                            .of("type", "time")
                            .required()
                            .as("unit"),
                    // The number of hours or days between two awards. With 'time' only.
                    Field.count("timeInterval", 1, SharedFields.MAX_COUNT)
                            .of("type", "time")
                            .required()
                            .as("interval"),
                    SharedFields.leaderboard().of("type", "leaderboard"),
                    SharedFields.rankFrom().of("type", "leaderboard"),
                    SharedFields.rankTo().of("type", "leaderboard"),
                    // Points per award. A negative number deducts; 0 is not allowed.
                    Field.wholeNotZero("points", -MAX_AWARD, MAX_AWARD).required(),
                    SharedFields.userAttributes())
            .identified(Keys.ID)
            .check(SharedFields::ranks)
            .requiredAtCreation("type")
            .shown(
                    "id",
                    "type",
                    "points",
                    "status",
                    "userAttributes",
                    "blockIfOutOfPoints",
                    "metricId",
                    "metricThreshold",
                    "eventAttributes",
                    "achievementId",
                    "streakLength",
                    "timeUnit",
                    "timeInterval",
                    "leaderboardId",
                    "rankFrom",
                    "rankTo");

    public PointsTrigger {
        if (status == null) {
            // The document was written before triggers had a status: its last change was a restart.
            status = TriggerStatus.ACTIVE;
            activated = updated;
        }
        if (objectNumber == 0) {
            // The document was written before there were two numbers.
            objectNumber = number;
        }
        userAttributes = Records.listOf(userAttributes);
    }

    public boolean isActive() {
        return status == TriggerStatus.ACTIVE;
    }

    /** Whether a points trigger awards points. */
    public enum TriggerStatus {
        ACTIVE,
        INACTIVE
    }

    /** The condition for an award (docs/semantics.md §6). */
    public sealed interface TriggerRule {

        /**
         * Each time the metric's total passes another multiple of {@code threshold}; with filters, the sum of the matching
         * events since the trigger became active.
         *
         * @param eventAttributes filters on events; empty if every event counts
         * @param blockIfOutOfPoints whether an event is refused if its deduction would make the total negative
         */
        record MetricThreshold(
                String metric, long threshold, List<AttributeFilter> eventAttributes, boolean blockIfOutOfPoints)
                implements TriggerRule {

            public MetricThreshold {
                eventAttributes = Records.listOf(eventAttributes);
            }
        }

        /** When the achievement with this key is completed, except by backdating. */
        record AchievementCompletion(String achievement) implements TriggerRule {}

        /** When the streak reaches exactly this length. */
        record StreakReached(int length) implements TriggerRule {}

        /** Every {@code interval} hours or days of real time after user creation or activation, whichever is later. */
        record TimeInterval(IntervalUnit unit, int interval) implements TriggerRule {

            private static final long MS_PER_HOUR = 3_600_000;

            public long intervalMs() {
                return interval * (unit == IntervalUnit.HOURS ? MS_PER_HOUR : 24 * MS_PER_HOUR);
            }
        }

        /** Once, when the user is created. */
        record UserCreation() implements TriggerRule {}

        /** When a run of this leaderboard becomes final, and the user's rank is one of these. */
        record FinalRank(String leaderboard, int rankFrom, int rankTo) implements TriggerRule {}

        /** A unit of real time: a day has 24 hours. */
        enum IntervalUnit {
            HOURS,
            DAYS
        }
    }
}
