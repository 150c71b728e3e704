package dev.laurel.core.user;

import dev.laurel.core.rules.StreakRules.Threshold;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The preferences of a user (docs/application-api.md §4 "preferences").
 *
 * @param notifications allowed channels by type, without the types that were never set
 * @param streakEnabled null while unset, which means true
 * @param streakMetrics the user's own conditions
 * @param streakDaysOff the user's own days off, in order; 0 is Sunday
 * @param visibility on leaderboards; null while unset, which means public
 */
public record Preferences(
        Map<NotificationType, Set<NotificationChannel>> notifications,
        @Nullable Boolean streakEnabled,
        @Nullable EvaluationMode streakMode,
        @Nullable List<Threshold> streakMetrics,
        @Nullable List<Integer> streakDaysOff,
        @Nullable Visibility visibility) {

    public static final Preferences NONE = new Preferences(Map.of(), null, null, null, null, null);

    public Preferences {
        notifications = notifications.isEmpty() ? Map.of() : inOrder(notifications);
        streakMetrics = streakMetrics == null ? null : List.copyOf(streakMetrics);
        streakDaysOff =
                streakDaysOff == null ? null : streakDaysOff.stream().sorted().toList();
    }

    /** Sorts by type, so that the stored bytes of equal preferences are equal. */
    private static Map<NotificationType, Set<NotificationChannel>> inOrder(
            Map<NotificationType, Set<NotificationChannel>> given) {
        var ordered = new EnumMap<NotificationType, Set<NotificationChannel>>(NotificationType.class);
        given.forEach((type, channels) -> ordered.put(
                type,
                Collections.unmodifiableSet(
                        channels.isEmpty() ? EnumSet.noneOf(NotificationChannel.class) : EnumSet.copyOf(channels))));
        return Collections.unmodifiableMap(ordered);
    }

    /** Whom the user's places on leaderboards show to others. */
    public Visibility shown() {
        return visibility == null ? Visibility.PUBLIC : visibility;
    }

    public boolean wantsStreak() {
        return !Boolean.FALSE.equals(streakEnabled);
    }
}
