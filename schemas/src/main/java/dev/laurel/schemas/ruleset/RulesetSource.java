package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The human form of a ruleset: the content of {@code laurel.yaml}. Objects are entries of maps, named by their keys and
 * ordered as written. What is left out (null here) has the default of the JSON Schema {@code laurel-ruleset.schema.json}.
 * Nothing is checked here, {@link RulesetEditor} does that.
 */
public record RulesetSource(Map<String, MetricSource> metrics, AttributesSource attributes,
        Map<String, AchievementSource> achievements, Map<String, PointsSource> points, StreakSource streak,
        SettingsSource settings) {

    public RulesetSource {
        metrics = ordered(metrics);
        attributes = attributes == null ? new AttributesSource(null, null) : attributes;
        achievements = ordered(achievements);
        points = ordered(points);
    }

    public record MetricSource(UUID id, String name, String unitType, String units) {}

    /** Attributes by key, apart by what they describe. */
    public record AttributesSource(Map<String, AttributeSource> user, Map<String, AttributeSource> event) {

        public AttributesSource {
            user = ordered(user);
            event = ordered(event);
        }
    }

    public record AttributeSource(UUID id, String name) {}

    public record AchievementSource(UUID id, String name, String description, String badgeUrl, String trigger,
            String metric, BigDecimal value) {}

    public record PointsSource(UUID id, String name, String description, String badgeUrl, Long maxPoints,
            Map<String, TriggerSource> triggers) {

        public PointsSource {
            triggers = ordered(triggers);
        }
    }

    public record TriggerSource(UUID id, String type, String metric, Long threshold, Long points) {}

    /** @param metrics thresholds by metric key */
    public record StreakSource(Boolean enabled, String frequency, String evaluationMode,
            Map<String, BigDecimal> metrics) {

        public StreakSource {
            metrics = ordered(metrics);
        }
    }

    public record SettingsSource(Integer controlRatio, String defaultTimeZone) {}

    private static <V> Map<String, V> ordered(Map<String, V> entries) {
        return entries == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
}
