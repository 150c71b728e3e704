package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.wire.AchievementBody.AttributeFilterBody;
import dev.laurel.schemas.wire.AchievementBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes the bodies of achievements (docs/application-api.md §2 "Achievement"). */
public final class AchievementBodies {

    private AchievementBodies() {}

    /** The body for a user, with {@code achievedAt}. */
    public static AchievementBody of(UserState state, Achievement achievement, CompiledRuleset rules) {
        Long atMs = state.completions().get(achievement.number());
        return of(achievement, rules).achieved(atMs == null ? null : Instant.ofEpochMilli(atMs));
    }

    /** The body without a user. */
    public static AchievementBody of(Achievement achievement, CompiledRuleset rules) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal(String key, BigDecimal value, var eventFilters, int _) -> {
                Metric metric = rules.referencedMetric(key);
                yield body(achievement, "metric", Optional.of(filters(eventFilters)), first(eventFilters),
                        Optional.of(metric), Optional.of(value), Optional.empty(), Optional.empty(), Optional.empty());
            }
            case AchievementTrigger.StreakLength(int length) -> body(achievement, "streak", Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(length), Optional.empty(),
                    Optional.empty());
            case AchievementTrigger.Api _ -> body(achievement, "api", Optional.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
            case AchievementTrigger.Composite(List<String> keys) -> {
                List<UUID> ids = keys.stream().map(key -> rules.referencedAchievement(key).id()).toList();
                yield body(achievement, "achievement", Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.of(ids), Optional.empty());
            }
            case AchievementTrigger.Anniversary(int years) -> body(achievement, "anniversary", Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.of(years));
        };
    }

    private static AchievementBody body(Achievement achievement, String trigger,
            Optional<List<AttributeFilterBody>> eventFilters, Optional<AttributeFilterBody> eventFilter,
            Optional<Metric> metric, Optional<BigDecimal> value, Optional<Integer> streakLength,
            Optional<List<UUID>> prerequisites, Optional<Integer> anniversaryYears) {
        return new AchievementBody(achievement.id(), achievement.name(), trigger, achievement.description(),
                achievement.badgeUrl(), shownKey(achievement), filters(achievement.userAttributes()),
                eventFilters, eventFilter, metric.map(Metric::id), metric.map(Metric::name), value, streakLength,
                prerequisites, anniversaryYears, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The key, unless the achievement was created without a key and has its id as the key. */
    private static Optional<String> shownKey(Achievement achievement) {
        return Optional.of(achievement.key()).filter(key -> !key.equals(achievement.id().toString()));
    }

    static List<AttributeFilterBody> filters(List<AttributeFilter> filters) {
        return filters.isEmpty() ? List.of() : filters.stream().map(AchievementBodies::filter).toList();
    }

    static Optional<AttributeFilterBody> first(List<AttributeFilter> filters) {
        return filters.isEmpty() ? Optional.empty() : Optional.of(filter(filters.getFirst()));
    }

    private static AttributeFilterBody filter(AttributeFilter filter) {
        return new AttributeFilterBody(filter.attribute(), filter.value());
    }
}
