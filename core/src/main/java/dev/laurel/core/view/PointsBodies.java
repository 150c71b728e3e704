package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.ActiveBoosts;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.PointsState.SystemAwards;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.wire.AchievementBody.AttributeFilterBody;
import dev.laurel.schemas.wire.EventBody.EventPointsBody;
import dev.laurel.schemas.wire.PointsSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.BaseSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemTotalBody;
import dev.laurel.schemas.wire.PointsSystemBody.TriggerBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserBoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import dev.laurel.schemas.wire.Present;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of points (docs/application-api.md §2 "Points"). */
public final class PointsBodies {

    private static final String ACTIVE = "active";
    private static final String FINISHED = "finished";

    private PointsBodies() {}

    /** The changes by one command, by system key. @param today the user's local day, which decides the status of boosts */
    public static Map<String, EventPointsBody> changed(
            UserKey user, CompiledRuleset rules, List<SystemAwards> changes, int today) {
        if (changes.isEmpty()) {
            return Map.of();
        }
        var points = new LinkedHashMap<String, EventPointsBody>();
        for (SystemAwards changed : changes) {
            points.put(changed.system().key(), changed(user, rules, changed, changed.awards(), today));
        }
        return points;
    }

    /** The changes by one command in a system, with the newest {@code maxAwards} awards. */
    public static EventPointsBody changed(
            UserKey user, CompiledRuleset rules, SystemAwards changed, int maxAwards, int today) {
        List<Award> all = changed.awards();
        return changed(user, rules, changed, all.subList(Math.max(0, all.size() - maxAwards), all.size()), today);
    }

    private static EventPointsBody changed(
            UserKey user, CompiledRuleset rules, SystemAwards changed, List<Award> shown, int today) {
        PointsSystem system = changed.system();
        var awards = new ArrayList<AwardBody>(shown.size());
        for (Award award : shown) {
            awards.add(award(user, system, award, rules, today));
        }
        Optional<Present<LevelBody>> level =
                changed.changedLevel() ? Present.of(level(changed.level())) : Optional.empty();
        return new EventPointsBody(base(system), changed.total(), changed.added(), level, awards);
    }

    /** @param awards the newest awards, newest first, each with the rules of its time */
    public static UserPointsBody ofUser(UserState state, PointsSystem system, List<AwardBody> awards) {
        long total = PointsState.totalOf(state.points(), system.number());
        return new UserPointsBody(base(system), total, level(system.levelOf(total)), awards);
    }

    private static BaseSystemBody base(PointsSystem system) {
        return new BaseSystemBody(
                system.id(), system.key(), system.name(), system.description(), system.badgeUrl(), system.maxPoints());
    }

    public static SystemTotalBody total(PointsSystem system, long total) {
        return new SystemTotalBody(base(system), total);
    }

    public static @Nullable LevelBody level(@Nullable Level level) {
        return level == null
                ? null
                : new LevelBody(
                        level.id(), level.key(), level.name(), level.description(), level.badgeUrl(), level.points());
    }

    /** @param rules the version under which the award was made */
    public static AwardBody award(UserKey user, PointsSystem system, Award award, CompiledRuleset rules, int today) {
        return new AwardBody(
                award.id(user, system),
                award.awarded(),
                Instant.ofEpochMilli(award.atMs()),
                award.total(),
                trigger(rules, rules.referencedTrigger(award.trigger())),
                boosts(award.boosts(), rules.referencedSystem(award.system()), today));
    }

    private static List<BoostBody> boosts(List<AppliedBoost> boosts, PointsSystem system, int today) {
        if (boosts.isEmpty()) {
            return List.of();
        }
        var bodies = new ArrayList<BoostBody>(boosts.size());
        for (AppliedBoost applied : boosts) {
            bodies.add(
                    switch (applied) {
                        case AppliedBoost.OfRuleset(int number) ->
                            boost(
                                    system.boosts().stream()
                                            .filter(b -> b.number() == number)
                                            .findFirst()
                                            .orElseThrow(),
                                    today);
                        case AppliedBoost.OfUser(UserBoost boost) -> boost(boost, today);
                    });
        }
        return bodies;
    }

    /** The boosts that apply to the user's awards today, in the order of creation: those of the ruleset and the user's own. */
    public static List<BoostBody> activeBoosts(UserState state, PointsSystem system, CompiledRuleset rules, int today) {
        ActiveBoosts active = ActiveBoosts.on(
                today, rules.rulesOf(system), state.boosts(), state.profile().attributes());
        return active == null ? List.of() : boosts(active.applied(), system, today);
    }

    /** A system with its active triggers. */
    public static PointsSystemBody system(PointsSystem system, CompiledRuleset rules) {
        var triggers = new ArrayList<TriggerBody>();
        for (PointsTrigger trigger : system.triggers()) {
            if (trigger.isActive()) {
                triggers.add(trigger(rules, trigger));
            }
        }
        return new PointsSystemBody(base(system), triggers);
    }

    /**
     * The boosts of a system for all users, by start.
     *
     * @param finished whether to include finished ones
     */
    public static List<BoostBody> boosts(PointsSystem system, boolean finished, int today) {
        var bodies = new ArrayList<BoostBody>();
        for (Boost boost : system.boosts()) {
            BoostBody body = boost(boost, today);
            if (finished || !body.status().equals(FINISHED)) {
                bodies.add(body);
            }
        }
        bodies.sort(Comparator.comparing(BoostBody::start));
        return bodies;
    }

    public static List<LevelBody> levels(PointsSystem system) {
        return system.levels().stream().map(PointsBodies::level).toList();
    }

    public static BoostBody boost(Boost boost, int today) {
        int start = Math.toIntExact(boost.start().toEpochDay());
        int end = boost.end() == null
                ? UserBoost.OPEN
                : Math.toIntExact(boost.end().toEpochDay());
        return new BoostBody(
                boost.id(),
                boost.name(),
                status(start, end, today),
                boost.start(),
                boost.end(),
                boost.multiplier(),
                IssueList.word(boost.rounding()));
    }

    /** A boost that has begun, with its system. */
    public static SystemBoostBody boost(PointsSystem system, Boost boost, boolean isFinished) {
        return new SystemBoostBody(
                boost.id(),
                boost.name(),
                isFinished ? FINISHED : ACTIVE,
                null,
                system.id(),
                system.key(),
                system.name(),
                boost.start(),
                boost.end(),
                boost.multiplier(),
                IssueList.word(boost.rounding()));
    }

    /** A user's own boost that has begun, with its system. */
    public static SystemBoostBody boost(PointsSystem system, UserId user, UserBoost boost, boolean isFinished) {
        return new SystemBoostBody(
                boost.id(),
                boost.name(),
                isFinished ? FINISHED : ACTIVE,
                user.value(),
                system.id(),
                system.key(),
                system.name(),
                boost.firstDate(),
                boost.lastDate(),
                boost.multiplier(),
                IssueList.word(boost.rounding()));
    }

    public static BoostBody boost(UserBoost boost, int today) {
        return new BoostBody(
                boost.id(),
                boost.name(),
                status(boost.start(), boost.end(), today),
                boost.firstDate(),
                boost.lastDate(),
                boost.multiplier(),
                IssueList.word(boost.rounding()));
    }

    /** A boost for operators. @param user the owner */
    public static UserBoostBody boost(UserId user, UserBoost boost, int today) {
        return new UserBoostBody(boost(boost, today), user.value());
    }

    private static String status(int start, int end, int today) {
        return today < start ? "scheduled" : today > end ? FINISHED : ACTIVE;
    }

    static TriggerBody trigger(CompiledRuleset rules, PointsTrigger trigger) {
        return switch (trigger.rule()) {
            case TriggerRule.MetricThreshold(String key, long threshold, var eventFilters, boolean _) -> {
                Metric metric = rules.referencedMetric(key);
                yield new TriggerBody(
                        trigger.id(),
                        "metric",
                        trigger.points(),
                        IssueList.word(trigger.status()),
                        Optional.of(metric.id()),
                        Optional.of(metric.name()),
                        Optional.of(threshold),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        userFilters(trigger),
                        Optional.of(AchievementBodies.filters(eventFilters)),
                        AchievementBodies.first(eventFilters),
                        trigger.created(),
                        trigger.updated());
            }
            case TriggerRule.AchievementCompletion(String key) -> {
                Achievement achievement = rules.referencedAchievement(key);
                yield Records.with(
                        body(trigger, "achievement"),
                        "achievementId",
                        Optional.of(achievement.id()),
                        "achievementName",
                        Optional.of(achievement.name()));
            }
            case TriggerRule.StreakReached(int length) ->
                Records.with(body(trigger, "streak"), "streakLengthThreshold", Optional.of(length));
            case TriggerRule.TimeInterval(var unit, int interval) ->
                Records.with(
                        body(trigger, "time"),
                        "timeUnit",
                        Optional.of(
                                switch (unit) {
                                    case HOURS -> "hour";
                                    case DAYS -> "day";
                                }),
                        "timeInterval",
                        Optional.of(interval));
            case TriggerRule.UserCreation _ -> body(trigger, "user_creation");
            case TriggerRule.FinalRank(String key, int from, int to) ->
                // As for achievements, clients know no word for it.
                AchievementBodies.ranked(body(trigger, "achievement"), rules, key, from, to);
        };
    }

    /** The fields of all triggers. */
    private static TriggerBody body(PointsTrigger trigger, String type) {
        return new TriggerBody(
                trigger.id(),
                type,
                trigger.points(),
                IssueList.word(trigger.status()),
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
                userFilters(trigger),
                Optional.empty(),
                Optional.empty(),
                trigger.created(),
                trigger.updated());
    }

    private static List<AttributeFilterBody> userFilters(PointsTrigger trigger) {
        return AchievementBodies.filters(trigger.userAttributes());
    }
}
