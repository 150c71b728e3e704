package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.AchievementBody.AttributeFilterBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
                yield Records.with(
                        body(achievement, "metric"),
                        "eventAttributes",
                        Optional.of(filters(eventFilters)),
                        "eventAttribute",
                        first(eventFilters),
                        "metricId",
                        Optional.of(metric.id()),
                        "metricName",
                        Optional.of(metric.name()),
                        "metricValue",
                        Optional.of(value));
            }
            case AchievementTrigger.StreakLength(int length) ->
                Records.with(body(achievement, "streak"), "streakLength", Optional.of(length));
            case AchievementTrigger.Api _ -> body(achievement, "api");
            case AchievementTrigger.Composite(List<String> keys) ->
                Records.with(
                        body(achievement, "achievement"),
                        "achievementIds",
                        Optional.of(keys.stream()
                                .map(key -> rules.referencedAchievement(key).id())
                                .toList()));
            case AchievementTrigger.Anniversary(int years) ->
                Records.with(body(achievement, "anniversary"), "anniversaryYears", Optional.of(years));
            case AchievementTrigger.FinalRank(String key, int from, int to) ->
                // Clients of the contract know no word for it, and some fail on others.
                ranked(body(achievement, "api"), rules, key, from, to);
        };
    }

    /** The fields of all achievements. */
    private static AchievementBody body(Achievement achievement, String trigger) {
        return new AchievementBody(
                achievement.id(),
                achievement.name(),
                trigger,
                achievement.description(),
                achievement.badgeUrl(),
                shownKey(achievement),
                filters(achievement.userAttributes()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Adds the ranks to a body, and the leaderboard of this key. */
    static <T> T ranked(T body, CompiledRuleset rules, String key, int from, int to) {
        Leaderboard board = rules.referencedBoard(key).board();
        return Records.with(
                body,
                "leaderboardId",
                Optional.of(board.id()),
                "leaderboardName",
                Optional.of(board.name()),
                "rankFrom",
                Optional.of(from),
                "rankTo",
                Optional.of(to));
    }

    /** The key, unless the achievement was created without a key and has its id as the key. */
    private static Optional<String> shownKey(Achievement achievement) {
        return Optional.of(achievement.key())
                .filter(key -> !key.equals(achievement.id().toString()));
    }

    static List<AttributeFilterBody> filters(List<AttributeFilter> filters) {
        return filters.isEmpty()
                ? List.of()
                : filters.stream().map(AchievementBodies::filter).toList();
    }

    static Optional<AttributeFilterBody> first(List<AttributeFilter> filters) {
        return filters.isEmpty() ? Optional.empty() : Optional.of(filter(filters.getFirst()));
    }

    private static AttributeFilterBody filter(AttributeFilter filter) {
        return new AttributeFilterBody(filter.attribute(), filter.value());
    }
}
