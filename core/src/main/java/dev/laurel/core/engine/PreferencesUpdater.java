package dev.laurel.core.engine;

import dev.laurel.core.rules.StreakRules;
import dev.laurel.core.rules.StreakRules.Threshold;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.Preferences;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.Condition;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.Bounds;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes a user's preferences, field by field (docs/application-api.md §4 "preferences"). */
record PreferencesUpdater(UserTransaction user) {

    /** @return why it is refused, null if it is done */
    @Nullable
    Refusal update(SetPreferences given) {
        Refusal refusal = refusalOf(given);
        if (refusal != null) {
            return refusal;
        }
        Preferences before = user.preferences();
        var after = new Preferences(
                notifications(before.notifications(), given),
                given.streak().enabled().appliedTo(before.streakEnabled()),
                given.streak().evaluationMode().appliedTo(before.streakMode()),
                metrics(before.streakMetrics(), given),
                given.streak().daysOff().appliedTo(before.streakDaysOff()),
                given.leaderboards().visibility().appliedTo(before.visibility()));
        user.updatePreferences(after);
        if (before.shown() != after.shown()) {
            new LeaderboardScorer(user).changeVisibility();
        }
        // The sums belong to the metrics that counted until now.
        user.updateStreak(user.streak().withSums(Integer.MIN_VALUE, IntKeyedMap.empty()));
        var streak = new StreakTracker(user);
        streak.updateDaysOff(user.newestMs());
        if (before.wantsStreak() && !after.wantsStreak()) {
            streak.leave();
        } else if (!before.wantsStreak() && after.wantsStreak()) {
            streak.skipEarning(user.newestMs());
        }
        return null;
    }

    private @Nullable Refusal refusalOf(SetPreferences given) {
        StreakRules rules = user.rules().streak();
        if (!given.streak().evaluationMode().isGiven()
                && !given.streak().metrics().isGiven()
                && !given.streak().daysOff().isGiven()) {
            return null;
        }
        if (!rules.isPersonal()) {
            return new Refusal(
                    Refusal.Kind.FORBIDDEN,
                    "streak.evaluationMode, streak.metrics and streak.daysOff cannot be set: streak personalization is"
                            + " off.");
        }
        if (given.streak().daysOff() instanceof Change.Set<List<Integer>>(List<Integer> days)
                && !days.isEmpty()
                && rules.periods().frequency() != StreakFrequency.DAILY) {
            return Refusal.invalid("streak.daysOff must be empty: only daily streaks have days off.");
        }
        if (given.streak().metrics() instanceof Change.Set<List<Condition>>(List<Condition> conditions)) {
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

    private @Nullable List<Threshold> metrics(@Nullable List<Threshold> before, SetPreferences given) {
        return switch (given.streak().metrics()) {
            case Change.Keep<List<Condition>> _ -> before;
            case Change.Clear<List<Condition>> _ -> null;
            case Change.Set<List<Condition>>(List<Condition> conditions) ->
                conditions.stream()
                        .map(c -> new Threshold(
                                user.rules().referencedMetric(c.metric()).number(), c.threshold()))
                        .toList();
        };
    }
}
