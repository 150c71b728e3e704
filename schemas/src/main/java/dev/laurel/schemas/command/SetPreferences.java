package dev.laurel.schemas.command;

import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes what a user wants; only what is given changes (application-api.md §4 "preferences").
 *
 * @param notifications channels by notification type; a cleared type is as if never set
 * @param streakEnabled whether the user takes part in streaks
 * @param streakMetrics the user's own conditions, by metric key
 */
public record SetPreferences(UserChange user, Map<NotificationType, Change<Set<NotificationChannel>>> notifications,
        Change<Boolean> streakEnabled, Change<EvaluationMode> streakMode, Change<List<Condition>> streakMetrics)
        implements
            UserCommand {

    public SetPreferences {
        notifications = Map.copyOf(notifications);
    }

    /** @param metric its key */
    public record Condition(String metric, BigDecimal threshold) {}
}
