package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
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
 * An achievement, which a user completes once and keeps.
 *
 * @param userAttributes filters on users; all must match at the moment of evaluation
 * @param backdate whether users who already qualify when it becomes active, or when its rules change, complete it silently
 * @param updated time of the last change
 * @param activated time at which the present rules came into force; null while it is not active
 * @param activeSince version of the ruleset in which they came into force; 0 while it is not active
 */
public record Achievement(
        int number,
        UUID id,
        String key,
        String name,
        @Nullable String description,
        @Nullable String badgeUrl,
        AchievementTrigger trigger,
        AchievementStatus status,
        List<AttributeFilter> userAttributes,
        boolean backdate,
        Instant created,
        Instant updated,
        @Nullable Instant activated,
        long activeSince) {

    private static final int MAX_PREREQUISITES = 1000;
    private static final int MAX_YEARS = 1000;

    /**
     * A user completes an achievement at most once and keeps it, even if the total falls later (docs/semantics.md §4, docs/admin-api.md
     * B1).
     */
    public static final Kind<Achievement> KIND = Kind.of(
                    "achievement",
                    Achievement.class,
                    SharedFields.name(),
                    SharedFields.description().clearable().shownMissing(Field.Missing.NULL),
                    SharedFields.badgeUrl(),
                    // What completes the achievement. 'metric': the user's total of a metric reaches a value. 'streak':
                    // the streak reaches a
                    // length. 'api': a client completes it. 'achievement': all of the named achievements are completed.
                    // 'anniversary': years have
                    // passed since the user signed up. 'leaderboard': a run of a leaderboard becomes final, and the
                    // user has one of the
                    // ranks.
                    Field.variant(
                                    "trigger",
                                    List.of("metric", "streak", "api", "achievement", "anniversary", "leaderboard"),
                                    AchievementTrigger.MetricTotal.class,
                                    AchievementTrigger.StreakLength.class,
                                    AchievementTrigger.Api.class,
                                    AchievementTrigger.Composite.class,
                                    AchievementTrigger.Anniversary.class,
                                    AchievementTrigger.FinalRank.class)
                            .required()
                            .sameAdminWords(),
                    // 'active'; 'inactive': invisible and cannot be completed; 'locked': cannot be completed any more,
                    // and visible only to users
                    // who have completed it. An inactive achievement must become active before it can be locked; an
                    // active or locked one cannot
                    // become inactive.
                    // API: An inactive achievement is invisible and cannot be completed; a locked one cannot be
                    // completed any more, and only
                    // users who have completed it see it. Allowed changes: inactive to active, active to locked, locked
                    // to active.
                    Field.word("status", AchievementStatus.class)
                            .defaultsTo("active")
                            .atCreation("inactive")
                            .sameAdminWords(),
                    SharedFields.metric().of("trigger", "metric"),
                    // The total that completes the achievement: above 0, at most 1000000000000, with at most 9
                    // fractional digits. With 'metric'
                    // only.
                    Field.typed("value", SharedFields.AMOUNT)
                            .of("trigger", "metric")
                            .required()
                            .adminName("metricValue"),
                    SharedFields.streakLength().of("trigger", "streak"),
                    // Keys of the prerequisites. They may have any trigger, but none of them may require this
                    // achievement. With 'achievement'
                    // only.
                    // API: The achievements that complete this one once a user has all of them. They may have any
                    // trigger, but none of them may
                    // require this achievement.
                    Field.references(
                                    "achievements",
                                    SharedFields.ACHIEVEMENTS,
                                    1,
                                    MAX_PREREQUISITES,
                                    "must have 1 to " + MAX_PREREQUISITES + " keys of achievements")
                            .of("trigger", "achievement")
                            .required()
                            .adminName("achievementIds"),
                    // The years since the user's signUpDate. It is completed when the user's local date reaches that
                    // day. With 'anniversary'
                    // only.
                    Field.count("anniversaryYears", 1, MAX_YEARS)
                            .of("trigger", "anniversary")
                            .required()
                            .as("years"),
                    SharedFields.leaderboard().of("trigger", "leaderboard"),
                    SharedFields.rankFrom().of("trigger", "leaderboard"),
                    SharedFields.rankTo().of("trigger", "leaderboard"),
                    SharedFields.userAttributes(),
                    SharedFields.eventAttributes().of("trigger", "metric"),
                    // Whether users who already qualify complete it, without notice and without points, when it becomes
                    // active or its rules
                    // change.
                    // API: Whether users who already qualify complete it silently, without points, when it becomes
                    // active or its rules change.
                    Field.flag("backdate").defaultsTo(true).hidden())
            .identified(Keys.OPTIONAL)
            .check(SharedFields::ranks)
            .requiredAtCreation("name", "trigger")
            .shown(
                    "id",
                    "name",
                    "trigger",
                    "key",
                    "description",
                    "badge",
                    "status",
                    "metricId",
                    "metricValue",
                    "streakLength",
                    "achievementIds",
                    "anniversaryYears",
                    "leaderboardId",
                    "rankFrom",
                    "rankTo",
                    "userAttributes",
                    "eventAttributes",
                    "created",
                    "updated");

    public Achievement {
        if (status == null) {
            // The document was written before achievements had a status: all were active.
            status = AchievementStatus.ACTIVE;
            backdate = true;
            updated = created;
            activated = created;
            activeSince = 1;
        }
        userAttributes = Records.listOf(userAttributes);
    }

    public boolean isActive() {
        return status == AchievementStatus.ACTIVE;
    }

    /** The states {@code INACTIVE → ACTIVE ↔ LOCKED} (docs/semantics.md §4). */
    public enum AchievementStatus {
        /** Invisible; cannot be completed. */
        INACTIVE,
        ACTIVE,
        /** Takes no new completions; visible only to users who have completed it. */
        LOCKED
    }

    /** The condition for completing an achievement (docs/semantics.md §4). */
    public sealed interface AchievementTrigger {

        /**
         * The metric's total is at or above {@code value}; with filters, the sum of the matching events since the achievement
         * became active.
         *
         * @param eventAttributes filters on events; empty if every event counts
         * @param sumNumber number under which users keep the filtered sum, new whenever the sum restarts; 0 without filters
         */
        record MetricTotal(String metric, BigDecimal value, List<AttributeFilter> eventAttributes, int sumNumber)
                implements AchievementTrigger {

            public MetricTotal {
                eventAttributes = Records.listOf(eventAttributes);
            }
        }

        /** The streak is at least this long. */
        record StreakLength(int length) implements AchievementTrigger {}

        /** A client completes it. */
        record Api() implements AchievementTrigger {}

        /** All achievements with these keys are completed. */
        record Composite(List<String> achievements) implements AchievementTrigger {

            public Composite {
                achievements = List.copyOf(achievements);
            }
        }

        /** The user's local date is at or after the sign-up date plus these years. */
        record Anniversary(int years) implements AchievementTrigger {

            /** The local date of the anniversary. In a year without 29 February, that of the day before. */
            public LocalDate dateOf(LocalDate signUpDate) {
                return signUpDate.plusYears(years);
            }
        }

        /** A run of this leaderboard becomes final, and the user's rank is one of these. */
        record FinalRank(String leaderboard, int rankFrom, int rankTo) implements AchievementTrigger {}
    }
}
