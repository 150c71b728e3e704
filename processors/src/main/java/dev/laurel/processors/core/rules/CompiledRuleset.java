package dev.laurel.processors.core.rules;

import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.TriggerRule;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A ruleset arranged for being applied: what an event of a metric must look at is found by one lookup. Made once per
 * version, immutable, shared by all tasks.
 */
public final class CompiledRuleset {

    private final Ruleset document;
    private final Map<String, MetricRules> metrics = new HashMap<>();
    private final Map<String, PointsSystem> systems = new HashMap<>();
    private final Map<Integer, PointsTrigger> triggers = new HashMap<>();
    private final Set<String> userAttributes = new HashSet<>();
    private final Set<String> eventAttributes = new HashSet<>();
    private final StreakRules streak;

    public CompiledRuleset(Ruleset document) {
        this.document = document;
        for (Attribute attribute : document.attributes()) {
            (attribute.type() == AttributeType.USER ? userAttributes : eventAttributes).add(attribute.key());
        }
        for (PointsSystem system : document.pointsSystems()) {
            systems.put(system.key(), system);
            system.triggers().forEach(trigger -> triggers.put(trigger.number(), trigger));
        }
        document.metrics().forEach(metric -> metrics.put(metric.key(), rulesOf(metric)));
        this.streak = new StreakRules(document.streak(), key -> metrics.get(key).metric().number());
    }

    private MetricRules rulesOf(Metric metric) {
        var achievements = new ArrayList<MetricRules.TotalGoal>();
        for (Achievement achievement : document.achievements()) {
            switch (achievement.trigger()) {
                case AchievementTrigger.MetricTotal(String key, var value) -> {
                    if (key.equals(metric.key())) {
                        achievements.add(new MetricRules.TotalGoal(achievement, value));
                    }
                }
            }
        }
        var pays = new ArrayList<MetricRules.ThresholdTrigger>();
        for (PointsSystem system : document.pointsSystems()) {
            for (PointsTrigger trigger : system.triggers()) {
                switch (trigger.rule()) {
                    case TriggerRule.MetricThreshold(String key, long threshold) -> {
                        if (key.equals(metric.key())) {
                            pays.add(new MetricRules.ThresholdTrigger(system, trigger, threshold));
                        }
                    }
                }
            }
        }
        return new MetricRules(metric, achievements, pays);
    }

    public Ruleset document() {
        return document;
    }

    public long version() {
        return document.version();
    }

    /** Null if there is no such metric. */
    public MetricRules metric(String key) {
        return metrics.get(key);
    }

    /** Null if there is no such points system. */
    public PointsSystem pointsSystem(String key) {
        return systems.get(key);
    }

    /** Null if this version has no trigger of that number. */
    public PointsTrigger trigger(int number) {
        return triggers.get(number);
    }

    public StreakRules streak() {
        return streak;
    }

    /** The zone in which a user's days are counted. */
    public ZoneId zoneOf(ZoneId userZone) {
        return userZone == null ? document.settings().defaultTimeZone() : userZone;
    }

    /** Null if all of these are keys of user attributes. */
    public Refusal refusalOfUserAttributes(Collection<String> keys) {
        return refusalOf(keys, userAttributes);
    }

    /** Null if all of these are keys of event attributes. */
    public Refusal refusalOfEventAttributes(Collection<String> keys) {
        return refusalOf(keys, eventAttributes);
    }

    private static Refusal refusalOf(Collection<String> keys, Set<String> known) {
        if (known.containsAll(keys)) {
            return null;
        }
        return Refusal.unknownAttributes(keys.stream().filter(key -> !known.contains(key)).toList());
    }

    /** The metrics in ruleset order. */
    public List<Metric> metrics() {
        return document.metrics();
    }
}
