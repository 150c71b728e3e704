package dev.laurel.schemas.ruleset.edit;

import static dev.laurel.schemas.ruleset.edit.ObjectIdResolver.within;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next version of a ruleset from the present version and a source. Pure: equal arguments give equal documents.
 * Objects are identified by kind and key; an existing object keeps its number and id.
 *
 * <p>Counts under one rule have no meaning under another. This class therefore decides which counts restart with an edit, and
 * expresses that by new numbers and new times of activation; the engine only compares these.
 */
public final class RulesetEditor {

    /** The result of an edit. */
    public sealed interface Result {

        record Changed(Ruleset ruleset) implements Result {}

        /** The ruleset already has the requested content. */
        record Unchanged(Ruleset ruleset) implements Result {}

        record Invalid(List<Issue> issues) implements Result {}
    }

    private final Ruleset current;
    private final Instant now;
    private final ObjectIdResolver resolver;
    /** The new keys of renamed achievements, by their former keys. */
    private final Map<String, String> newKeys;

    private final IssueList issues = new IssueList();
    private final LeaderboardEditor leaderboards;

    private RulesetEditor(Ruleset current, List<Origin> origins, Instant now) {
        this.current = current;
        this.now = now.truncatedTo(ChronoUnit.MILLIS); // the precision of JSON, so that a document is read back equal
        this.resolver = new ObjectIdResolver(current, this.now);
        origins.forEach(resolver::comesFrom);
        this.newKeys = resolver.newKeysOfAchievements();
        this.leaderboards = new LeaderboardEditor(this.now, resolver, issues);
    }

    /** @param now time of the edit, which becomes the creation time of new objects */
    public static Result apply(Ruleset current, RulesetSource source, Instant now) {
        return apply(current, source, List.of(), now);
    }

    /** @param origins origins of objects whose keys do not identify them */
    public static Result apply(Ruleset current, RulesetSource source, List<Origin> origins, Instant now) {
        return apply(current, source, origins, current.notifications().templates(), now);
    }

    /** The issues that a source has as the first version of a tenant, for which nothing is stored yet. */
    public static List<Issue> issuesOf(RulesetSource source) {
        return apply(Ruleset.empty(TenantId.NONE), source, Instant.EPOCH) instanceof Result.Invalid(List<Issue> issues)
                ? issues
                : List.of();
    }

    private static Result apply(
            Ruleset current, RulesetSource source, List<Origin> origins, List<Template> stored, Instant now) {
        List<Issue> issues = source.issues();
        if (!issues.isEmpty()) {
            return new Result.Invalid(issues);
        }
        return new RulesetEditor(current, origins, now).replaceBy(source, stored);
    }

    /**
     * Restores the content of an earlier version. Existing objects are identified by their ids, whatever their keys are now;
     * removed objects return with their former identities. Changes that no edit may make are refused.
     */
    public static Result restore(Ruleset current, Ruleset earlier, Instant now) {
        return apply(
                current,
                RulesetSource.of(earlier, now),
                ObjectIdResolver.earlier(current, earlier),
                earlier.notifications().templates(),
                now);
    }

    /** @param stored templates that may keep texts with unknown variables */
    private Result replaceBy(RulesetSource source, List<Template> stored) {
        FieldMap content = source.content();
        List<Metric> metrics = all(content.part("metrics"), this::metric);
        var attributes = new ArrayList<Attribute>();
        for (AttributeType type : AttributeType.values()) {
            attributes.addAll(all(
                    content.part("attributes").part(IssueList.word(type)),
                    (key, draft) -> attribute(key, draft, type)));
        }
        List<Achievement> achievements = all(content.part("achievements"), this::achievement);
        List<PointsSystem> systems = all(content.part("points"), this::pointsSystem);
        List<Leaderboard> boards = all(content.part("leaderboards"), leaderboards::leaderboard);
        leaderboards.checkCount(boards);
        List<Webhook> webhooks = all(content.part("webhooks"), (key, draft) -> updated(Webhook.KIND, key, draft));
        Notifications notifications = notifications(content.part("notifications"));
        var next = new Ruleset(
                current.tenant(),
                current.version() + 1,
                now,
                resolver.nextNumber(),
                metrics,
                attributes,
                achievements,
                StreakSettings.KIND.make(content.part("streak"), Map.of()),
                systems,
                boards,
                Settings.KIND.make(content.part("settings"), Map.of()),
                webhooks,
                notifications,
                List.of(),
                null,
                null);
        next = Records.with(next, "retired", resolver.missingIn(next));
        checkIds(next);
        checkVariables(next, stored);
        if (!issues.isEmpty()) {
            return new Result.Invalid(issues.found());
        }
        boolean isSame = current.version() > 0 && next.as(current).equals(current);
        return isSame ? new Result.Unchanged(current) : new Result.Changed(next);
    }

    /** Finds duplicate ids. The check of the source sees only the ids that it contains, not those derived from keys. */
    private void checkIds(Ruleset next) {
        var owners = new HashMap<UUID, ObjectIdentity>();
        for (ObjectIdentity object : ObjectIdResolver.objectsOf(next)) {
            ObjectIdentity owner = owners.putIfAbsent(object.id(), object);
            if (owner != null) {
                issues.add(
                        "",
                        "the id " + object.id() + " would belong both to the " + owner.kind() + " '" + owner.key()
                                + "' and to the " + object.kind() + " '" + object.key() + "'");
            }
        }
    }

    /** Finds unknown variables in texts that the edit brings. Texts that are stored stay, so that they fail no other edit. */
    private void checkVariables(Ruleset next, List<Template> stored) {
        var byId = stored.stream().collect(Collectors.toMap(Template::id, template -> template));
        var variables = TemplateVariables.of(next);
        next.notifications()
                .templates()
                .forEach(template -> variables.check(template, byId.get(template.id()), issues));
    }

    private static <T> List<T> all(FieldMap entries, BiFunction<String, FieldMap, T> make) {
        var made = new ArrayList<T>();
        entries.objects().forEach((key, draft) -> made.add(make.apply(key, draft)));
        return made;
    }

    /** Sets the time of the update if the object differs from its former version. */
    private <T> T updated(T next, @Nullable T before) {
        return before == null || next.equals(before) ? next : Records.with(next, "updated", now);
    }

    /** The object of a draft, with the time of its update. */
    private <T> T updated(Kind<T> kind, String key, FieldMap draft) {
        ObjectIdentity object = resolver.identify(kind.name(), key, draft);
        T before = resolver.former(object, kind);
        return updated(made(kind.make(draft, object.components()), before), before);
    }

    /** The object with the time of the former update, which {@link #updated} replaces if the object differs. */
    private <T> T made(T next, @Nullable T before) {
        return Records.with(next, "updated", before == null ? now : Records.get(before, "updated"));
    }

    private Metric metric(String key, FieldMap draft) {
        return Metric.KIND.make(draft, resolver.identify("metric", key, draft).components());
    }

    private Attribute attribute(String key, FieldMap draft, AttributeType type) {
        ObjectIdentity object = resolver.identify(ObjectIdResolver.attributeKind(type), key, draft);
        return Records.with(Attribute.KIND.make(draft, object.components()), "type", type);
    }

    // Achievements.

    private Achievement achievement(String key, FieldMap draft) {
        ObjectIdentity object = resolver.identify("achievement", key, draft);
        Achievement former = resolver.former(object, Achievement.KIND);
        Achievement before = former == null ? null : renamed(former, key);
        Achievement given = made(Achievement.KIND.make(draft, object.components()), before);
        AchievementTrigger trigger = given.trigger();
        boolean isRenamed = false;
        if (before != null && former != null) {
            checkTransition("/achievements/" + key, before, given);
            isRenamed = checkKey("/achievements/" + key, key, former);
        }
        boolean isActive = given.isActive();
        Achievement continued = isActive
                        && before != null
                        && before.isActive()
                        && ruleOf(before.trigger()).equals(ruleOf(trigger))
                        && Set.copyOf(before.userAttributes()).equals(Set.copyOf(given.userAttributes()))
                ? before
                : null;
        Achievement next = Records.with(
                given,
                "trigger",
                isActive ? withSum(trigger, before) : trigger,
                "activated",
                continued != null ? continued.activated() : isActive ? now : null,
                "activeSince",
                continued != null ? continued.activeSince() : isActive ? current.version() + 1 : 0L);
        return isRenamed ? Records.with(next, "updated", now) : updated(next, before);
    }

    /** The former achievement with its key in the edit and those of its prerequisites. */
    private Achievement renamed(Achievement former, String key) {
        AchievementTrigger trigger = former.trigger() instanceof AchievementTrigger.Composite(List<String> keys)
                ? new AchievementTrigger.Composite(
                        keys.stream().map(this::newKey).toList())
                : former.trigger();
        return Records.with(former, "key", key, "trigger", trigger);
    }

    private String newKey(String achievement) {
        return newKeys.getOrDefault(achievement, achievement);
    }

    /** Checks a change of the key. @return whether the key has changed */
    private boolean checkKey(String path, String key, Achievement former) {
        boolean isRenamed = !former.key().equals(key);
        boolean hadNone = former.id().toString().equals(former.key());
        issues.expect(
                !isRenamed || hadNone || former.status() == AchievementStatus.INACTIVE,
                path + "/key",
                "must stay '" + former.key() + "': only an inactive achievement can change its key");
        return isRenamed;
    }

    /**
     * Checks a change of the status (docs/admin-api.md B1). A new achievement of a file may be locked, because
     * another instance may have exported it.
     */
    private void checkTransition(String path, Achievement before, Achievement next) {
        AchievementStatus was = before.status();
        AchievementStatus status = next.status();
        boolean isAllowed = switch (was) {
            case INACTIVE -> status != AchievementStatus.LOCKED;
            case ACTIVE, LOCKED -> status != AchievementStatus.INACTIVE;
        };
        if (!isAllowed) {
            issues.add(
                    path + "/status",
                    "must be one of " + (was == AchievementStatus.INACTIVE ? "inactive, active" : "active, locked")
                            + " for one that is " + IssueList.word(was) + "; is '" + IssueList.word(status) + "'");
        }
    }

    /** Assigns a number to a filtered sum, which continues while its metric and filters are the same (docs/semantics.md §4). */
    private AchievementTrigger withSum(AchievementTrigger trigger, @Nullable Achievement before) {
        if (!(trigger instanceof AchievementTrigger.MetricTotal sum)
                || sum.eventAttributes().isEmpty()) {
            return trigger;
        }
        int number = before != null
                        && before.isActive()
                        && before.trigger() instanceof AchievementTrigger.MetricTotal old
                        && old.metric().equals(sum.metric())
                        && Set.copyOf(old.eventAttributes()).equals(Set.copyOf(sum.eventAttributes()))
                ? old.sumNumber()
                : resolver.freshNumber();
        return new AchievementTrigger.MetricTotal(sum.metric(), sum.value(), sum.eventAttributes(), number);
    }

    /** What of a rule makes another rule: equal for rules that differ only in the order of lists, or in the number of their sum. */
    private static Object ruleOf(AchievementTrigger trigger) {
        return switch (trigger) {
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, var filters, int _) ->
                List.of(metric, value, Set.copyOf(filters));
            case AchievementTrigger.Composite(List<String> keys) -> Set.copyOf(keys);
            case AchievementTrigger.StreakLength _,
                    AchievementTrigger.Api _,
                    AchievementTrigger.Anniversary _,
                    AchievementTrigger.FinalRank _ -> trigger;
        };
    }

    // Points.

    private PointsSystem pointsSystem(String key, FieldMap draft) {
        ObjectIdentity object = resolver.identify("points", key, draft);
        var components = new HashMap<String, Object>(object.components());
        var levels = new ArrayList<>(all(
                draft.part("levels"),
                (name, level) -> Level.KIND.make(
                        level,
                        resolver.identify("level", within(key, name), level).components(name))));
        levels.sort(Comparator.comparingLong(Level::points));
        components.put("levels", levels);
        components.put(
                "boosts",
                all(
                        draft.part("boosts"),
                        (name, boost) -> Boost.KIND.make(
                                boost,
                                resolver.identify("boost", within(key, name), boost)
                                        .components(name))));
        components.put("triggers", all(draft.part("triggers"), (name, trigger) -> trigger(key, name, trigger)));
        return PointsSystem.KIND.make(draft, components);
    }

    private PointsTrigger trigger(String system, String key, FieldMap draft) {
        ObjectIdentity object = resolver.identify("trigger", within(system, key), draft);
        PointsTrigger former = resolver.former(object, PointsTrigger.KIND);
        PointsTrigger before =
                former != null && former.rule() instanceof TriggerRule.AchievementCompletion(String achievement)
                        ? Records.with(former, "rule", new TriggerRule.AchievementCompletion(newKey(achievement)))
                        : former;
        PointsTrigger given = made(PointsTrigger.KIND.make(draft, object.components(key)), before);
        boolean isActive = given.isActive();
        PointsTrigger continued = isActive
                        && before != null
                        && before.isActive()
                        && countOf(before.rule()).equals(countOf(given.rule()))
                ? before
                : null;
        // Counts under the former rule have no meaning under the new one, which starts at zero and awards nothing for
        // the past.
        boolean isRestarted = isActive && continued == null && !resolver.isNew(object);
        PointsTrigger next = Records.with(
                given,
                "number",
                isRestarted ? resolver.freshNumber() : before != null ? before.number() : object.number(),
                "objectNumber",
                object.number(),
                "activated",
                continued != null ? continued.activated() : isActive ? now : null);
        return updated(next, before);
    }

    /** What of a rule counts: equal for rules whose counts continue. {@code blockIfOutOfPoints} does not affect them. */
    private static Object countOf(TriggerRule rule) {
        return switch (rule) {
            case TriggerRule.MetricThreshold(String metric, long threshold, var filters, boolean _) ->
                List.of(metric, threshold, Set.copyOf(filters));
            case TriggerRule.AchievementCompletion _,
                    TriggerRule.StreakReached _,
                    TriggerRule.TimeInterval _,
                    TriggerRule.UserCreation _,
                    TriggerRule.FinalRank _ -> rule;
        };
    }

    // Notifications.

    private Notifications notifications(FieldMap draft) {
        return new Notifications(
                all(draft.part("templates"), (key, template) -> updated(Template.KIND, key, template)),
                Notifications.Timing.KIND.make(draft.part("settings"), Map.of()),
                Notifications.Sender.KIND.make(draft.part("channels").part("email"), Map.of()));
    }
}
