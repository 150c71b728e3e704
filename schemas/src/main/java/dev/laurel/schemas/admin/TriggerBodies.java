package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.AttributeFilter;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.TriggerRule;
import dev.laurel.schemas.wire.FilterConfigBody;
import dev.laurel.schemas.wire.TriggerConfigBody;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Triggers as the admin API shows them. */
final class TriggerBodies {

    private TriggerBodies() {}

    static TriggerConfigBody of(PointsTrigger trigger, ObjectIds ids) {
        return switch (trigger.rule()) {
            case TriggerRule.MetricThreshold(String key, long threshold, List<AttributeFilter> events, boolean isBlocking) ->
                body(trigger, "metric", ids, isBlocking, Optional.of(ids.ofMetric(key)), Optional.of(threshold),
                        Optional.of(ids.filters(AttributeType.EVENT, events)), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.empty());
            case TriggerRule.AchievementCompletion(String key) -> ofType(trigger, "achievement", ids,
                    Optional.of(ids.ofAchievement(key)), Optional.empty(), Optional.empty(), Optional.empty());
            case TriggerRule.StreakReached(int length) -> ofType(trigger, "streak", ids, Optional.empty(),
                    Optional.of(length), Optional.empty(), Optional.empty());
            case TriggerRule.TimeInterval(var unit, int interval) -> ofType(trigger, "time", ids, Optional.empty(),
                    Optional.empty(), Optional.of(unit.name().toLowerCase(Locale.ROOT)), Optional.of(interval));
            case TriggerRule.UserCreation() -> ofType(trigger, "user_creation", ids, Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty());
        };
    }

    /** Of a type that has nothing to do with a metric. */
    private static TriggerConfigBody ofType(PointsTrigger trigger, String type, ObjectIds ids,
            Optional<UUID> achievement, Optional<Integer> streakLength, Optional<String> timeUnit,
            Optional<Integer> timeInterval) {
        return body(trigger, type, ids, false, Optional.empty(), Optional.empty(), Optional.empty(), achievement,
                streakLength, timeUnit, timeInterval);
    }

    private static TriggerConfigBody body(PointsTrigger trigger, String type, ObjectIds ids, boolean isBlocking,
            Optional<UUID> metric, Optional<Long> threshold, Optional<List<FilterConfigBody>> events,
            Optional<UUID> achievement, Optional<Integer> streakLength, Optional<String> timeUnit,
            Optional<Integer> timeInterval) {
        return new TriggerConfigBody(trigger.id(), type, trigger.points(),
                trigger.status().name().toLowerCase(Locale.ROOT),
                ids.filters(AttributeType.USER, trigger.userAttributes()), isBlocking, metric, threshold, events,
                achievement, streakLength, timeUnit, timeInterval);
    }
}
