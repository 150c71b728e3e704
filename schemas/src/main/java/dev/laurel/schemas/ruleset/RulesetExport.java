package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The way back from a ruleset to its human form. Applying what it gives to the ruleset it came from changes nothing. What
 * equals its default is left out, ids are kept: applied elsewhere, the objects are the same ones. Pure.
 */
public final class RulesetExport {

    private RulesetExport() {}

    public static RulesetSource sourceOf(Ruleset ruleset) {
        var metrics = new LinkedHashMap<String, MetricSource>();
        ruleset.metrics().forEach(m -> metrics.put(m.key(), metric(m)));
        var achievements = new LinkedHashMap<String, AchievementSource>();
        ruleset.achievements().forEach(a -> achievements.put(a.key(), achievement(a)));
        var points = new LinkedHashMap<String, PointsSource>();
        ruleset.pointsSystems().forEach(p -> points.put(p.key(), pointsSystem(p)));
        var attributes = new AttributesSource(attributes(ruleset, AttributeType.USER),
                attributes(ruleset, AttributeType.EVENT));
        return new RulesetSource(metrics, attributes, achievements, points, streak(ruleset.streak()),
                settings(ruleset.settings()));
    }

    private static MetricSource metric(Metric metric) {
        return new MetricSource(metric.id(), unless(metric.key(), metric.name()), unless("number", metric.unitType()),
                unless("", metric.units()));
    }

    private static Map<String, AttributeSource> attributes(Ruleset ruleset, AttributeType type) {
        var attributes = new LinkedHashMap<String, AttributeSource>();
        ruleset.attributes().stream().filter(a -> a.type() == type)
                .forEach(a -> attributes.put(a.key(), new AttributeSource(a.id(), unless(a.key(), a.name()))));
        return attributes;
    }

    private static AchievementSource achievement(Achievement achievement) {
        UUID id = achievement.id();
        String name = unless(achievement.key(), achievement.name());
        return switch (achievement.trigger()) {
            case AchievementTrigger.StreakLength _,AchievementTrigger.Api _,AchievementTrigger.Composite _ ->
                throw new IllegalArgumentException("no export yet");
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, var _, int _) ->
                new AchievementSource(id, name,
                        achievement.description(), achievement.badgeUrl(), "metric", metric, value);
        };
    }

    private static PointsSource pointsSystem(PointsSystem system) {
        var triggers = new LinkedHashMap<String, TriggerSource>();
        system.triggers().forEach(t -> triggers.put(t.key(), trigger(t)));
        return new PointsSource(system.id(), unless(system.key(), system.name()), system.description(),
                system.badgeUrl(), system.maxPoints(), triggers);
    }

    private static TriggerSource trigger(PointsTrigger trigger) {
        return switch (trigger.rule()) {
            case TriggerRule.AchievementCompletion _,TriggerRule.StreakReached _,TriggerRule.TimeInterval _,TriggerRule.UserCreation _ ->
                throw new IllegalArgumentException("no export yet");
            case TriggerRule.MetricThreshold(String metric, long threshold, var _, boolean _) ->
                new TriggerSource(trigger.id(), "metric", metric, threshold, trigger.points());
        };
    }

    private static StreakSource streak(StreakSettings streak) {
        if (streak.equals(StreakSettings.DEFAULT)) {
            return null;
        }
        var thresholds = new LinkedHashMap<String, BigDecimal>();
        streak.conditions().forEach(c -> thresholds.put(c.metric(), c.threshold()));
        return new StreakSource(streak.enabled() ? null : false,
                unless("daily", streak.frequency().name().toLowerCase(Locale.ROOT)),
                unless("OR", streak.evaluationMode().name()), thresholds);
    }

    private static SettingsSource settings(Settings settings) {
        if (settings.equals(Settings.DEFAULT)) {
            return null;
        }
        ZoneId zone = settings.defaultTimeZone();
        return new SettingsSource(settings.controlRatio() == 0 ? null : settings.controlRatio(),
                zone.equals(Settings.DEFAULT.defaultTimeZone()) ? null : zone.getId());
    }

    private static String unless(String usual, String value) {
        return usual.equals(value) ? null : value;
    }
}
