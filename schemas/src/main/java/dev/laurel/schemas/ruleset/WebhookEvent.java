package dev.laurel.schemas.ruleset;

import java.util.Arrays;
import java.util.List;

/** The types of events that webhooks receive (docs/webhooks.md §2). The order is durable data. */
public enum WebhookEvent {
    ACHIEVEMENT_COMPLETED("achievement.completed"), //
    STREAK_STARTED("streak.started"), //
    STREAK_EXTENDED("streak.extended"), //
    STREAK_LOST("streak.lost"), //
    STREAK_FREEZE_CONSUMED("streak.freeze_consumed"), //
    STREAK_FREEZE_EARNED("streak.freeze_earned"), //
    POINTS_CHANGED("points.changed"), //
    POINTS_LEVEL_CHANGED("points.level_changed"), //
    POINTS_BOOST_STARTED("points.boost_started"), //
    POINTS_BOOST_FINISHED("points.boost_finished"), //
    LEADERBOARD_STARTED("leaderboard.started"), //
    LEADERBOARD_CHANGED("leaderboard.changed"), //
    LEADERBOARD_RANK_CHANGED("leaderboard.rank_changed"), //
    LEADERBOARD_FINISHED("leaderboard.finished"), //
    EMAILS_ACHIEVEMENT_DUE("emails.achievement_due"), //
    EMAILS_RECAP_DUE("emails.recap_due"), //
    EMAILS_REACTIVATION_DUE("emails.reactivation_due"), //
    EMAILS_STREAK_REMINDER_DUE("emails.streak_reminder_due");

    private static final List<String> TYPES =
            Arrays.stream(values()).map(WebhookEvent::type).toList();

    private final String type;

    WebhookEvent(String type) {
        this.type = type;
    }

    /** The value of {@code type} in the payload. */
    public String type() {
        return type;
    }

    public static List<String> types() {
        return TYPES;
    }

    /** @throws IllegalArgumentException if there is no such event */
    public static WebhookEvent ofType(String type) {
        int at = TYPES.indexOf(type);
        if (at < 0) {
            throw new IllegalArgumentException("unknown type of webhook event: " + type);
        }
        return values()[at];
    }
}
