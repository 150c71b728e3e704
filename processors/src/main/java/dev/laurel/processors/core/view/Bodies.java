package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Outcome.EventResult;
import dev.laurel.processors.core.user.Outcome.SystemAwards;
import dev.laurel.processors.core.user.PointsBook;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.TriggerRule;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.AwardBody;
import dev.laurel.schemas.wire.EventBody;
import dev.laurel.schemas.wire.EventPointsBody;
import dev.laurel.schemas.wire.EventStreakBody;
import dev.laurel.schemas.wire.MetricBody;
import dev.laurel.schemas.wire.TriggerBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.UserPointsBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the world is shown of a user's state (application-api.md §2): the same objects in event answers, reads and webhooks.
 * Pure. States are shown as they are; whoever wants the present advances them first.
 */
public final class Bodies {

    private Bodies() {}

    public static UserBody user(UserState state) {
        Profile profile = state.profile();
        return new UserBody(state.id().value(), profile.email(), profile.name(),
                profile.tz() == null ? null : profile.tz().getId(), profile.deviceTokens(),
                !Boolean.FALSE.equals(profile.subscribeToEmails()), profile.attributes(), state.control(),
                Instant.ofEpochMilli(state.createdMs()), Instant.ofEpochMilli(state.updatedMs()));
    }

    /** The answer to an event. @param nowMs the moment the state stands for */
    public static EventBody event(UserKey user, UserState state, CompiledRuleset rules, EventResult result,
            long nowMs) {
        Map<String, EventPointsBody> points = Map.of();
        if (!result.points().isEmpty()) {
            points = new LinkedHashMap<>();
            for (SystemAwards changed : result.points()) {
                points.put(changed.system().key(), eventPoints(user, rules, changed));
            }
        }
        var achievements = new ArrayList<AchievementBody>(result.completed().size());
        for (Achievement achievement : result.completed()) {
            achievements.add(achievement(achievement, rules)
                    .achieved(Instant.ofEpochMilli(state.completions().get(achievement.number()))));
        }
        boolean isKeyed = result.idempotencyKey() != null;
        return new EventBody(result.eventId(), result.metric().id(), result.total(), achievements,
                eventStreak(state, rules, result.streakExtended(), nowMs), points, Map.of(),
                Optional.ofNullable(result.idempotencyKey()),
                isKeyed ? Optional.of(result.isRepeated()) : Optional.empty(), Optional.empty());
    }

    private static EventStreakBody eventStreak(UserState state, CompiledRuleset rules, boolean isExtended,
            long nowMs) {
        return StreakBodies.event(state, rules, isExtended, nowMs);
    }

    private static EventPointsBody eventPoints(UserKey user, CompiledRuleset rules, SystemAwards changed) {
        PointsSystem system = changed.system();
        var awards = new ArrayList<AwardBody>(changed.awards().size());
        for (Award award : changed.awards()) {
            awards.add(award(user, system, award, rules));
        }
        return new EventPointsBody(system.id(), system.key(), system.name(), system.description(), system.badgeUrl(),
                system.maxPoints(), changed.total(), changed.added(), Optional.empty(), awards);
    }

    /** @param awards the newest ones, newest first, each with the rules of its time */
    public static UserPointsBody userPoints(UserState state, PointsSystem system, List<AwardBody> awards) {
        PointsState points = state.points().get(system.number());
        return new UserPointsBody(system.id(), system.key(), system.name(), system.description(), system.badgeUrl(),
                system.maxPoints(), points == null ? 0 : points.total(), null, awards);
    }

    /** @param rules of the version the award names */
    public static AwardBody award(UserKey user, PointsSystem system, Award award, CompiledRuleset rules) {
        return new AwardBody(PointsBook.idOf(user, system, award), award.awarded(),
                Instant.ofEpochMilli(award.atMs()), award.total(), trigger(rules, rules.trigger(award.trigger())),
                List.of());
    }

    private static TriggerBody trigger(CompiledRuleset rules, PointsTrigger trigger) {
        return switch (trigger.rule()) {
            case TriggerRule.AchievementCompletion _,TriggerRule.StreakReached _,TriggerRule.TimeInterval _,TriggerRule.UserCreation _ ->
                throw new IllegalStateException("not yet");
            case TriggerRule.MetricThreshold(String key, long threshold, var _, boolean _) -> {
                Metric metric = rules.metric(key).metric();
                yield new TriggerBody(trigger.id(), "metric", trigger.points(), "active", Optional.of(metric.id()),
                        Optional.of(metric.name()), Optional.of(threshold), List.of(), Optional.of(List.of()),
                        trigger.created(), trigger.updated());
            }
        };
    }

    public static MetricBody metric(UserState state, Metric metric, CompiledRuleset rules) {
        MetricState counted = state.metrics().get(metric.number());
        var achievements = new ArrayList<AchievementBody>();
        for (var goal : rules.metric(metric.key()).goals()) {
            achievements.add(achievement(state, goal.achievement(), rules));
        }
        return new MetricBody(metric.id(), metric.key(), metric.name(), "active",
                counted == null ? BigDecimal.ZERO : counted.total(), achievements);
    }

    /** With {@code achievedAt}, null while open. */
    public static AchievementBody achievement(UserState state, Achievement achievement, CompiledRuleset rules) {
        Long atMs = state.completions().get(achievement.number());
        return achievement(achievement, rules).achieved(atMs == null ? null : Instant.ofEpochMilli(atMs));
    }

    /** Without anything about a user. */
    public static AchievementBody achievement(Achievement achievement, CompiledRuleset rules) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.StreakLength _,AchievementTrigger.Api _,AchievementTrigger.Composite _ ->
                throw new IllegalStateException("not yet");
            case AchievementTrigger.MetricTotal(String key, BigDecimal value, var _, int _) -> {
                Metric metric = rules.metric(key).metric();
                yield new AchievementBody(achievement.id(), achievement.name(), "metric", achievement.description(),
                        achievement.badgeUrl(), Optional.ofNullable(achievement.key()), List.of(),
                        Optional.of(List.of()), Optional.of(metric.id()), Optional.of(metric.name()),
                        Optional.of(value), Optional.empty(), Optional.empty(), Optional.empty());
            }
        };
    }
}
