package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.StreakRules;
import dev.laurel.processors.core.rules.StreakRules.Threshold;
import dev.laurel.schemas.command.Change;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.SetPreferences;
import dev.laurel.schemas.command.SetPreferences.Condition;
import dev.laurel.schemas.ruleset.StreakSettings.Bounds;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A user's wishes change, field by field (application-api.md §4 "preferences"). */
final class PreferencesTurn {

    private final UserTurn turn;

    PreferencesTurn(UserTurn turn) {
        this.turn = turn;
    }

    /** @return why it is refused, null if it is done */
    Refusal set(SetPreferences given) {
        Refusal refusal = refusalOf(given);
        if (refusal != null) {
            return refusal;
        }
        Preferences before = turn.preferences;
        var after = new Preferences(notifications(before.notifications(), given),
                given.streakEnabled().appliedTo(before.streakEnabled()),
                given.streakMode().appliedTo(before.streakMode()), metrics(before.streakMetrics(), given));
        turn.preferences = after.equals(Preferences.NONE) ? Preferences.NONE : after;
        // The sums are those of the metrics that counted until now.
        turn.streak = turn.streak.withSums(Integer.MIN_VALUE, Numbered.empty());
        var streak = new StreakBook(turn);
        if (before.wantsStreak() && !after.wantsStreak()) {
            streak.leave();
        } else if (!before.wantsStreak() && after.wantsStreak()) {
            streak.skipEarning(turn.newestMs);
        }
        return null;
    }

    private Refusal refusalOf(SetPreferences given) {
        StreakRules rules = turn.rules.streak();
        if (!given.streakMode().isGiven() && !given.streakMetrics().isGiven()) {
            return null;
        }
        if (!rules.isPersonal()) {
            return Refusal.personalizationOff();
        }
        if (given.streakMetrics() instanceof Change.Set<List<Condition>>(List<Condition> conditions)) {
            for (Condition condition : conditions) {
                Bounds bounds = rules.choice(condition.metric());
                if (bounds == null) {
                    return Refusal.metricNotOfStreak(condition.metric(), rules.choices());
                }
                if (isOutside(condition, bounds)) {
                    return Refusal.thresholdOutside(condition.metric(), bounds.min(), bounds.max());
                }
            }
        }
        return null;
    }

    private static boolean isOutside(Condition condition, Bounds bounds) {
        return bounds.min() != null && condition.threshold().compareTo(bounds.min()) < 0
                || bounds.max() != null && condition.threshold().compareTo(bounds.max()) > 0;
    }

    private static Map<NotificationType, Set<NotificationChannel>> notifications(
            Map<NotificationType, Set<NotificationChannel>> before, SetPreferences given) {
        if (given.notifications().isEmpty()) {
            return before;
        }
        var after = new EnumMap<NotificationType, Set<NotificationChannel>>(NotificationType.class);
        after.putAll(before);
        given.notifications().forEach((type, change) -> {
            Set<NotificationChannel> channels = change.appliedTo(before.get(type));
            if (channels == null) {
                after.remove(type);
            } else {
                after.put(type, channels);
            }
        });
        return after;
    }

    private List<Threshold> metrics(List<Threshold> before, SetPreferences given) {
        return switch (given.streakMetrics()) {
            case Change.Keep<List<Condition>> _ -> before;
            case Change.Clear<List<Condition>> _ -> null;
            case Change.Set<List<Condition>>(List<Condition> conditions) -> conditions.stream()
                    .map(c -> new Threshold(turn.rules.metric(c.metric()).metric().number(), c.threshold())).toList();
        };
    }
}
