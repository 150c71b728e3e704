package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static dev.laurel.schemas.ruleset.FromSource.constant;
import static dev.laurel.schemas.ruleset.FromSource.or;
import static dev.laurel.schemas.ruleset.Identities.within;

/**
 * Makes the next version of a ruleset out of the present one and a source. Pure: the same two and the same time give the
 * same document. Objects are told apart by kind and key; one that was there before keeps its number and id.
 *
 * <p>What users have gathered under a rule says nothing about another rule. So what starts anew with an edit is decided
 * here, once, by new numbers and new times of activation; the engine only compares them.
 */
public final class RulesetEditor {

    /** What came of an edit. */
    public sealed interface Result {

        record Changed(Ruleset ruleset) implements Result {}

        /** The ruleset says already what the edit asks for. */
        record Unchanged(Ruleset ruleset) implements Result {}

        record Invalid(List<RulesetIssue> issues) implements Result {}
    }

    private final Ruleset current;
    private final Instant now;
    private final Identities identities;
    private final Before before;
    private final IssueList issues = new IssueList();
    private final LeaderboardEditor leaderboards;
    private final MessageEditor messages;

    private RulesetEditor(Ruleset current, List<Origin> origins, Instant now) {
        this.current = current;
        this.now = now.truncatedTo(ChronoUnit.MILLIS); // as it is written, so that a document reads back equal
        this.identities = new Identities(current, this.now);
        this.before = new Before(current, origins);
        this.leaderboards = new LeaderboardEditor(before, this.now, identities, issues);
        origins.forEach(identities::comesFrom);
        this.messages = new MessageEditor(current, this.now, identities);
    }

    /** @param now the time of the edit, which becomes the creation time of what is new */
    public static Result apply(Ruleset current, RulesetSource source, Instant now) {
        return apply(current, source, List.of(), now);
    }

    /** @param origins of objects that are not who their keys say */
    public static Result apply(Ruleset current, RulesetSource source, List<Origin> origins, Instant now) {
        List<RulesetIssue> issues = RulesetValidator.check(source);
        if (!issues.isEmpty()) {
            return new Result.Invalid(issues);
        }
        return new RulesetEditor(current, origins, now).replaceBy(source);
    }

    /**
     * What the ruleset said in an earlier version, for the same objects: those that are there still go on, whatever they are
     * called now, and those that are gone come back as who they were. Nothing is forced: what no edit may change, this does
     * not change either.
     */
    public static Result restore(Ruleset current, Ruleset earlier, Instant now) {
        return apply(current, RulesetExport.sourceOf(earlier, now), Identities.earlier(current, earlier), now);
    }

    private Result replaceBy(RulesetSource source) {
        var metrics = new ArrayList<Metric>();
        source.metrics().forEach((key, metric) -> metrics.add(metric(key, metric)));
        var attributes = new ArrayList<Attribute>();
        source.attributes().user().forEach((key, a) -> attributes.add(attribute(key, a, AttributeType.USER)));
        source.attributes().event().forEach((key, a) -> attributes.add(attribute(key, a, AttributeType.EVENT)));
        var nextAchievements = new ArrayList<Achievement>();
        source.achievements().forEach((key, achievement) -> nextAchievements.add(achievement(key, achievement)));
        var systems = new ArrayList<PointsSystem>();
        source.points().forEach((key, system) -> systems.add(pointsSystem(key, system)));
        var boards = new ArrayList<Leaderboard>();
        source.leaderboards().forEach((key, board) -> boards.add(leaderboards.leaderboard(key, board)));
        leaderboards.checkCount(boards);
        var webhooks = new ArrayList<Webhook>();
        source.webhooks().forEach((key, webhook) -> webhooks.add(messages.webhook(key, webhook)));
        Notifications notifications = messages.notifications(source.notifications());
        var next = new Ruleset(current.tenant(), current.version() + 1, now, identities.nextNumber(), metrics,
                attributes, nextAchievements, FromSource.streak(source.streak()), systems, boards,
                FromSource.settings(source.settings()), webhooks, notifications, List.of());
        next = withRetired(next);
        checkIds(next);
        if (!issues.isEmpty()) {
            return new Result.Invalid(issues.found());
        }
        return saysTheSame(next) ? new Result.Unchanged(current) : new Result.Changed(next);
    }

    /** An id given to one object may be the one another has by its name; the validator sees the given ones only. */
    private void checkIds(Ruleset next) {
        var owners = new HashMap<UUID, Retired>();
        for (Retired object : Identities.objectsOf(next)) {
            Retired owner = owners.putIfAbsent(object.id(), object);
            if (owner != null) {
                issues.add("", "the id " + object.id() + " would belong both to the " + owner.kind() + " '"
                        + owner.key() + "' and to the " + object.kind() + " '" + object.key() + "'");
            }
        }
    }

    private boolean saysTheSame(Ruleset next) {
        var renumbered = new Ruleset(next.tenant(), current.version(), current.published(), next.nextNumber(),
                next.metrics(), next.attributes(), next.achievements(), next.streak(), next.pointsSystems(),
                next.leaderboards(), next.settings(), next.webhooks(), next.notifications(), next.retired());
        return current.version() > 0 && renumbered.equals(current);
    }

    private Ruleset withRetired(Ruleset next) {
        return new Ruleset(next.tenant(), next.version(), next.published(), next.nextNumber(), next.metrics(),
                next.attributes(), next.achievements(), next.streak(), next.pointsSystems(), next.leaderboards(),
                next.settings(), next.webhooks(), next.notifications(), identities.missingIn(next));
    }

    private Metric metric(String key, MetricSource source) {
        Retired object = identities.identify("metric", key, source.id());
        return new Metric(object.number(), object.id(), key, or(source.name(), key), or(source.unitType(), "number"),
                or(source.units(), ""), object.created());
    }

    private Attribute attribute(String key, AttributeSource source, AttributeType type) {
        Retired object = identities.identify(Identities.attributeKind(type), key, source.id());
        return new Attribute(object.number(), object.id(), key, or(source.name(), key), type);
    }

    // Achievements.

    private Achievement achievement(String key, AchievementSource source) {
        Retired object = identities.identify("achievement", key, source.id());
        Achievement before = this.before.achievement(key);
        var status = constant(AchievementStatus.class, or(source.status(), "active"));
        AchievementTrigger trigger = FromSource.trigger(source);
        checkTransition("/achievements/" + key, before, status, trigger, source.trigger());
        boolean isRenamed = checkKey("/achievements/" + key, key, before);
        List<AttributeFilter> users = FromSource.filters(source.userAttributes());
        boolean isActive = status == AchievementStatus.ACTIVE;
        boolean goesOn = isActive && before != null && before.isActive() && isSameRule(before.trigger(), trigger)
                && areSame(before.userAttributes(), users);
        Instant activated = goesOn ? before.activated() : isActive ? now : null;
        long activeSince = goesOn ? before.activeSince() : isActive ? current.version() + 1 : 0;
        var next = new Achievement(object.number(), object.id(), key, or(source.name(), key), source.description(),
                source.badgeUrl(), isActive ? withSum(trigger, before) : trigger, status, users,
                or(source.backdate(), true), object.created(), before == null ? now : before.updated(), activated,
                activeSince);
        return before == null || next.equals(before) && !isRenamed ? next : updated(next);
    }

    /** Whether it has another key than before. */
    private boolean checkKey(String path, String key, Achievement before) {
        String former = this.before.formerKeyOfAchievement(key);
        boolean isRenamed = former != null && !former.equals(key);
        issues.expect(!isRenamed || before.status() == AchievementStatus.INACTIVE, path + "/key",
                "must stay '" + former + "': only an inactive achievement can change its key");
        return isRenamed;
    }

    private Achievement updated(Achievement a) {
        return new Achievement(a.number(), a.id(), a.key(), a.name(), a.description(), a.badgeUrl(), a.trigger(),
                a.status(), a.userAttributes(), a.backdate(), a.created(), now, a.activated(), a.activeSince());
    }

    /**
     * admin-api.md B1: what an achievement may become depends on what it is. A document may bring a locked one along, so that
     * what one instance exports another can apply.
     */
    private void checkTransition(String path, Achievement before, AchievementStatus status, AchievementTrigger trigger,
            String kind) {
        if (before == null) {
            return;
        }
        AchievementStatus was = before.status();
        boolean isAllowed = switch (was) {
            case INACTIVE -> status != AchievementStatus.LOCKED;
            case ACTIVE, LOCKED -> status != AchievementStatus.INACTIVE;
        };
        if (!isAllowed) {
            issues.add(path + "/status",
                    "must be one of " + (was == AchievementStatus.INACTIVE ? "inactive, active" : "active, locked")
                            + " for one that is " + IssueList.word(was) + "; is '" + IssueList.word(status) + "'");
        }
        boolean isOtherKind = before.trigger().getClass() != trigger.getClass();
        if (isOtherKind && was != AchievementStatus.INACTIVE) {
            issues.add(path + "/trigger", "must stay " + RulesetExport.kindOf(before.trigger())
                    + ": only an inactive achievement can change its trigger; is '" + kind + "'");
        }
    }

    /** Gives a filtered sum its number; the sum goes on while nothing changes what is added up (semantics.md §4). */
    private AchievementTrigger withSum(AchievementTrigger trigger, Achievement before) {
        if (!(trigger instanceof AchievementTrigger.MetricTotal sum) || sum.eventAttributes().isEmpty()) {
            return trigger;
        }
        int number = before != null && before.isActive()
                && before.trigger() instanceof AchievementTrigger.MetricTotal old && old.metric().equals(sum.metric())
                && areSame(old.eventAttributes(), sum.eventAttributes())
                        ? old.sumNumber()
                        : identities.freshNumber();
        return new AchievementTrigger.MetricTotal(sum.metric(), sum.value(), sum.eventAttributes(), number);
    }

    private static boolean isSameRule(AchievementTrigger before, AchievementTrigger now) {
        return switch (before) {
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, var filters, int _) ->
                now instanceof AchievementTrigger.MetricTotal other && metric.equals(other.metric())
                        && value.equals(other.value()) && areSame(filters, other.eventAttributes());
            case AchievementTrigger.Composite(List<String> keys) ->
                now instanceof AchievementTrigger.Composite other && areSame(keys, other.achievements());
            case AchievementTrigger.StreakLength _,AchievementTrigger.Api _ -> before.equals(now);
        };
    }

    /** All of them must hold, so their order is for readers only. */
    private static <T> boolean areSame(List<T> before, List<T> now) {
        return before.equals(now) || Set.copyOf(before).equals(Set.copyOf(now));
    }

    // Points.

    private PointsSystem pointsSystem(String key, PointsSource source) {
        Retired object = identities.identify("points", key, source.id());
        var levels = new ArrayList<Level>();
        source.levels().forEach((name, level) -> levels.add(level(key, name, level)));
        levels.sort(Comparator.comparingLong(Level::points));
        var boosts = new ArrayList<Boost>();
        source.boosts().forEach((name, boost) -> boosts.add(boost(key, name, boost)));
        var nextTriggers = new ArrayList<PointsTrigger>();
        source.triggers().forEach((name, trigger) -> nextTriggers.add(trigger(key, name, trigger)));
        return new PointsSystem(object.number(), object.id(), key, or(source.name(), key), source.description(),
                source.badgeUrl(), source.maxPoints(), constant(LevelRule.class, or(source.levelAt(), "exceeds")),
                levels, boosts, nextTriggers);
    }

    private Level level(String system, String key, LevelSource source) {
        Retired object = identities.identify("level", within(system, key), source.id());
        return new Level(object.number(), object.id(), key, or(source.name(), key), or(source.description(), ""),
                source.badgeUrl(), source.points());
    }

    private Boost boost(String system, String key, BoostSource source) {
        Retired object = identities.identify("boost", within(system, key), source.id());
        return new Boost(object.number(), object.id(), key, or(source.name(), key), LocalDate.parse(source.start()),
                source.end() == null ? null : LocalDate.parse(source.end()), Amounts.canonical(source.multiplier()),
                constant(Rounding.class, or(source.rounding(), "down")), FromSource.filters(source.userAttributes()),
                object.created());
    }

    private PointsTrigger trigger(String system, String key, TriggerSource source) {
        Retired object = identities.identify("trigger", within(system, key), source.id());
        PointsTrigger before = this.before.trigger(within(system, key));
        var status = constant(TriggerStatus.class, or(source.status(), "active"));
        TriggerRule rule = FromSource.rule(source);
        boolean isActive = status == TriggerStatus.ACTIVE;
        boolean goesOn = isActive && before != null && before.isActive() && countsTheSame(before.rule(), rule);
        // Progress under the old rule says nothing about the new one: it starts at zero crossings, unpaid for the past.
        boolean startsAnew = isActive && !goesOn && !identities.isNew(object);
        int number = startsAnew ? identities.freshNumber() : object.number();
        Instant activated = goesOn ? before.activated() : isActive ? now : null;
        var next = new PointsTrigger(number, object.id(), key, rule, source.points(), status,
                FromSource.filters(source.userAttributes()), object.created(), before == null ? now : before.updated(),
                activated);
        return before == null || next.equals(before) ? next : updated(next);
    }

    private PointsTrigger updated(PointsTrigger t) {
        return new PointsTrigger(t.number(), t.id(), t.key(), t.rule(), t.points(), t.status(), t.userAttributes(),
                t.created(), now, t.activated());
    }

    /** Whether counts go on. What happens when points run out changes an event's fate, not what has been counted. */
    private static boolean countsTheSame(TriggerRule before, TriggerRule now) {
        return switch (before) {
            case TriggerRule.MetricThreshold(String metric, long threshold, var filters, boolean _) ->
                now instanceof TriggerRule.MetricThreshold other && metric.equals(other.metric())
                        && threshold == other.threshold() && areSame(filters, other.eventAttributes());
            case TriggerRule.AchievementCompletion _,TriggerRule.StreakReached _,TriggerRule.TimeInterval _,TriggerRule.UserCreation _ ->
                before.equals(now);
        };
    }
}
