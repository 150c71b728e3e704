package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Something a user completes once and keeps.
 *
 * @param description null if none
 * @param badgeUrl null if none
 * @param userAttributes who can complete it: all must match at the moment of evaluation
 * @param backdate whether users who qualify already when it becomes active, or when its rules change, complete it silently
 * @param updated time of the last change to any of this
 * @param activated time at which the present rules came into force; null while it is not active
 * @param activeSince version of the ruleset in which they did; 0 while it is not active
 */
public record Achievement(int number, UUID id, String key, String name, String description, String badgeUrl,
        AchievementTrigger trigger, AchievementStatus status, List<AttributeFilter> userAttributes, boolean backdate,
        Instant created, Instant updated, Instant activated, long activeSince) {

    private static final int MAX_PREREQUISITES = 100;

    /** docs/semantics.md §4, docs/admin-api.md B1. */
    public static final Kind<Achievement> KIND = Kind.of("achievement", Achievement.class, SharedFields.name(),
            SharedFields.description().shownMissing(""), SharedFields.badgeUrl(),
            Field.variant("trigger",
                    Map.of("metric", AchievementTrigger.MetricTotal.class, "streak",
                            AchievementTrigger.StreakLength.class, "api", AchievementTrigger.Api.class, "achievement",
                            AchievementTrigger.Composite.class),
                    "metric", "streak", "api", "achievement").required()
                    .adminWords("metric", "streak", "api", "achievement")
                    .about("What completes it. 'metric': the user's total of a metric is at or above a value. 'streak': the "
                            + "streak is at least that long. 'api': a client says so. 'achievement': all of the named "
                            + "achievements are completed. Only an inactive achievement can change it."),
            Field.word("status", AchievementStatus.class).defaultsTo("active").atCreation("inactive")
                    .adminWords("inactive", "active", "locked")
                    .about("'active'; 'inactive', invisible and not to be completed; 'locked', visible to those who have it and "
                            + "not to be completed by others. What is inactive becomes active before it can be locked, and "
                            + "what was active does not become inactive again.")
                    .adminAbout("From inactive to active; from active to locked and back. Not locked at creation."),
            SharedFields.metric().of("trigger", "metric"),
            Field.typed("value", SharedFields.AMOUNT).of("trigger", "metric").required().adminName("metricValue")
                    .about("The total that completes it: above 0, at most 1000000000000, with at most 9 fractional digits. With "
                            + "'metric' only."),
            SharedFields.streakLength().of("trigger", "streak"),
            Field.references("achievements", SharedFields.ACHIEVEMENTS, 1, MAX_PREREQUISITES,
                    "must have 1 to " + MAX_PREREQUISITES + " keys of achievements").of("trigger", "achievement")
                    .required().adminName("achievementIds")
                    .about("The prerequisites, by their keys: of any trigger, and none that needs this one. With 'achievement' "
                            + "only."),
            SharedFields.userAttributes(), SharedFields.eventAttributes().of("trigger", "metric"),
            Field.flag("backdate").defaultsTo(true).hidden()
                    .about("Whether users who qualify already complete it, without notice and without points, when it becomes "
                            + "active or its rules change.")
                    .adminAbout("Whether users who qualify already complete it silently."))
            .identified(Keys.OPTIONAL)
            .about("Completed at most once per user and kept forever, even if the total falls later.")
            .requiredAtCreation("name", "trigger")
            .shown("id", "name", "trigger", "key", "description", "badge", "status", "metricId", "metricValue",
                    "streakLength", "achievementIds", "userAttributes", "eventAttributes", "created", "updated");

    public Achievement {
        if (status == null) {
            // Written before achievements had a status: it was active from the start.
            status = AchievementStatus.ACTIVE;
            backdate = true;
            updated = created;
            activated = created;
            activeSince = 1;
        }
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }

    public boolean isActive() {
        return status == AchievementStatus.ACTIVE;
    }

    /** {@code INACTIVE → ACTIVE ↔ LOCKED} (docs/semantics.md §4). */
    public enum AchievementStatus {
        /** Invisible, cannot be completed. */
        INACTIVE, ACTIVE,
        /** No new completions, visible only to those who have it. */
        LOCKED
    }

    /** What completes an achievement (docs/semantics.md §4). */
    public sealed interface AchievementTrigger {

        /**
         * The metric's total is at or above {@code value}; with filters, the sum of the matching events since the achievement
         * became active.
         *
         * @param eventAttributes filters on events, empty if every event counts
         * @param sumNumber under which users keep that filtered sum; 0 without filters. A sum that starts anew gets a new one.
         */
        record MetricTotal(String metric, BigDecimal value, List<AttributeFilter> eventAttributes, int sumNumber)
                implements
                    AchievementTrigger {

            public MetricTotal {
                eventAttributes = eventAttributes == null ? List.of() : List.copyOf(eventAttributes);
            }
        }

        /** The streak is at least this long. */
        record StreakLength(int length) implements AchievementTrigger {}

        /** A client says so. */
        record Api() implements AchievementTrigger {}

        /** All of these achievements, named by their keys, are completed. */
        record Composite(List<String> achievements) implements AchievementTrigger {

            public Composite {
                achievements = List.copyOf(achievements);
            }
        }
    }
}
