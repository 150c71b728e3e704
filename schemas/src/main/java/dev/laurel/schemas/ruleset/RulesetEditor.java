package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the next version of a ruleset out of the present one and an edit. Pure: the same two and the same time give the
 * same document. Objects are told apart by kind and key; one that was there before keeps its number and id.
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
    private final Map<String, Retired> known = new HashMap<>();
    private int nextNumber;

    private RulesetEditor(Ruleset current, Instant now) {
        this.current = current;
        this.now = now.truncatedTo(ChronoUnit.MILLIS); // as it is written, so that a document reads back equal
        this.nextNumber = current.nextNumber();
        current.retired().forEach(this::know);
        objectsOf(current).forEach(this::know);
    }

    /** @param now the time of the edit, which becomes the creation time of what is new */
    public static Result apply(Ruleset current, RulesetEdit edit, Instant now) {
        return switch (edit) {
            case RulesetEdit.Replace(RulesetSource source) -> {
                List<RulesetIssue> issues = RulesetValidator.check(source);
                yield issues.isEmpty() ? new RulesetEditor(current, now).replaceBy(source) : new Result.Invalid(issues);
            }
        };
    }

    private Result replaceBy(RulesetSource source) {
        var metrics = new ArrayList<Metric>();
        source.metrics().forEach((key, metric) -> metrics.add(metric(key, metric)));
        var attributes = new ArrayList<Attribute>();
        source.attributes().user().forEach((key, a) -> attributes.add(attribute(key, a, AttributeType.USER)));
        source.attributes().event().forEach((key, a) -> attributes.add(attribute(key, a, AttributeType.EVENT)));
        var achievements = new ArrayList<Achievement>();
        source.achievements().forEach((key, achievement) -> achievements.add(achievement(key, achievement)));
        var systems = new ArrayList<PointsSystem>();
        source.points().forEach((key, system) -> systems.add(pointsSystem(key, system)));
        var next = new Ruleset(current.tenant(), current.version() + 1, nextNumber, metrics, attributes, achievements,
                streak(source.streak()), systems, settings(source.settings()), List.of());
        next = withRetired(next);
        List<RulesetIssue> clashes = sharedIds(next);
        if (!clashes.isEmpty()) {
            return new Result.Invalid(clashes);
        }
        return saysTheSame(next) ? new Result.Unchanged(current) : new Result.Changed(next);
    }

    /** An id given to one object may be the one another has by its name; the validator sees the given ones only. */
    private static List<RulesetIssue> sharedIds(Ruleset next) {
        var issues = new ArrayList<RulesetIssue>();
        var owners = new HashMap<UUID, Retired>();
        for (Retired object : objectsOf(next)) {
            Retired owner = owners.putIfAbsent(object.id(), object);
            if (owner != null && issues.size() < RulesetValidator.MAX_ISSUES) {
                issues.add(new RulesetIssue("",
                        "the id " + object.id() + " would belong both to the " + owner.kind() + " '"
                                + owner.key() + "' and to the " + object.kind() + " '" + object.key() + "'"));
            }
        }
        return issues;
    }

    private boolean saysTheSame(Ruleset next) {
        var renumbered = new Ruleset(next.tenant(), current.version(), next.nextNumber(), next.metrics(),
                next.attributes(), next.achievements(), next.streak(), next.pointsSystems(), next.settings(),
                next.retired());
        return current.version() > 0 && renumbered.equals(current);
    }

    private Ruleset withRetired(Ruleset next) {
        var retired = new LinkedHashMap<String, Retired>();
        known.forEach(retired::put);
        objectsOf(next).forEach(object -> retired.remove(slot(object.kind(), object.key())));
        var ordered = retired.values().stream().sorted((a, b) -> Integer.compare(a.number(), b.number())).toList();
        return new Ruleset(next.tenant(), next.version(), next.nextNumber(), next.metrics(), next.attributes(),
                next.achievements(), next.streak(), next.pointsSystems(), next.settings(), ordered);
    }

    private Metric metric(String key, MetricSource source) {
        Retired object = identify("metric", key, source.id());
        return new Metric(object.number(), object.id(), key, or(source.name(), key), or(source.unitType(), "number"),
                or(source.units(), ""), object.created());
    }

    private Attribute attribute(String key, AttributeSource source, AttributeType type) {
        Retired object = identify(attributeKind(type), key, source.id());
        return new Attribute(object.number(), object.id(), key, or(source.name(), key), type);
    }

    private Achievement achievement(String key, AchievementSource source) {
        Retired object = identify("achievement", key, source.id());
        var trigger = new AchievementTrigger.MetricTotal(source.metric(), Amounts.canonical(source.value()), List.of(),
                0);
        return new Achievement(object.number(), object.id(), key, or(source.name(), key), source.description(),
                source.badgeUrl(), trigger, AchievementStatus.ACTIVE, List.of(), true, object.created(),
                object.created(), object.created(), 1);
    }

    private PointsSystem pointsSystem(String key, PointsSource source) {
        Retired object = identify("points", key, source.id());
        var triggers = new ArrayList<PointsTrigger>();
        source.triggers().forEach((name, trigger) -> triggers.add(trigger(key, name, trigger)));
        return new PointsSystem(object.number(), object.id(), key, or(source.name(), key), source.description(),
                source.badgeUrl(), source.maxPoints(), LevelRule.EXCEEDS, List.of(), List.of(), triggers);
    }

    private PointsTrigger trigger(String system, String key, TriggerSource source) {
        var rule = new TriggerRule.MetricThreshold(source.metric(), source.threshold(), List.of(), false);
        Retired object = identify("trigger", system + "/" + key, source.id());
        PointsTrigger before = findTrigger(system, key);
        boolean isActiveNow = before != null && before.rule().equals(rule);
        if (isActiveNow && before.points() == source.points() && before.id().equals(object.id())) {
            return before;
        }
        // Progress under the old rule says nothing about the new one: it starts at zero crossings, unpaid for the past.
        int number = isActiveNow || isNew(object) ? object.number() : nextNumber++;
        return new PointsTrigger(number, object.id(), key, rule, source.points(), TriggerStatus.ACTIVE, List.of(),
                object.created(), now, now);
    }

    private PointsTrigger findTrigger(String system, String key) {
        return current.pointsSystems().stream().filter(s -> s.key().equals(system))
                .flatMap(s -> s.triggers().stream()).filter(t -> t.key().equals(key)).findFirst().orElse(null);
    }

    private boolean isNew(Retired object) {
        return object.number() >= current.nextNumber();
    }

    private static StreakSettings streak(StreakSource source) {
        if (source == null) {
            return StreakSettings.DEFAULT;
        }
        var conditions = new ArrayList<StreakSettings.Condition>();
        source.metrics().forEach((key, threshold) -> conditions
                .add(new StreakSettings.Condition(key, Amounts.canonical(threshold))));
        return new StreakSettings(source.enabled() == null || source.enabled(),
                constant(StreakFrequency.class, or(source.frequency(), "daily")),
                constant(StreakSettings.EvaluationMode.class, or(source.evaluationMode(), "OR")), conditions, null,
                null);
    }

    private static Settings settings(SettingsSource source) {
        if (source == null) {
            return Settings.DEFAULT;
        }
        return new Settings(source.controlRatio() == null ? 0 : source.controlRatio(),
                source.defaultTimeZone() == null
                        ? Settings.DEFAULT.defaultTimeZone()
                        : ZoneId.of(source.defaultTimeZone()),
                null);
    }

    private static <T extends Enum<T>> T constant(Class<T> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }

    /** Number and id of the object of this kind and key: those it had, or new ones. */
    private Retired identify(String kind, String key, UUID givenId) {
        Retired before = known.get(slot(kind, key));
        if (before == null) {
            int number = nextNumber++;
            before = new Retired(kind, key, number, idOf(current.tenant(), kind, key), now);
        }
        return new Retired(kind, key, before.number(), givenId == null ? before.id() : givenId, before.created());
    }

    /** Name-based, so that applying the same file to an empty instance gives the same ids. */
    private static UUID idOf(TenantId tenant, String kind, String key) {
        return UUID.nameUUIDFromBytes((tenant.value() + "\n" + kind + "\n" + key).getBytes(UTF_8));
    }

    private void know(Retired object) {
        known.put(slot(object.kind(), object.key()), object);
    }

    private static String slot(String kind, String key) {
        return kind + "\n" + key;
    }

    private static List<Retired> objectsOf(Ruleset ruleset) {
        var objects = new ArrayList<Retired>();
        Instant unknown = Instant.EPOCH;
        for (Metric m : ruleset.metrics()) {
            objects.add(new Retired("metric", m.key(), m.number(), m.id(), m.created()));
        }
        for (Attribute a : ruleset.attributes()) {
            objects.add(new Retired(attributeKind(a.type()), a.key(), a.number(), a.id(), unknown));
        }
        for (Achievement a : ruleset.achievements()) {
            objects.add(new Retired("achievement", a.key(), a.number(), a.id(), a.created()));
        }
        for (PointsSystem s : ruleset.pointsSystems()) {
            objects.add(new Retired("points", s.key(), s.number(), s.id(), unknown));
            for (PointsTrigger t : s.triggers()) {
                objects.add(new Retired("trigger", s.key() + "/" + t.key(), t.number(), t.id(), t.created()));
            }
        }
        return objects;
    }

    private static String attributeKind(AttributeType type) {
        return type.name().toLowerCase(Locale.ROOT) + "-attribute";
    }

    private static String or(String given, String otherwise) {
        return Objects.requireNonNullElse(given, otherwise);
    }
}
