package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.AttributeFilter;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.FilterConfigBody;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The ids of a ruleset's objects by their keys: rules name each other by keys, the admin API by ids. Immutable. */
final class ObjectIds {

    private final Map<String, UUID> metrics;
    private final Map<String, UUID> achievements;
    private final Map<String, UUID> systems;
    private final Map<AttributeType, Map<String, UUID>> attributes;

    ObjectIds(Ruleset ruleset) {
        this.metrics = ruleset.metrics().stream().collect(Collectors.toMap(Metric::key, Metric::id));
        this.achievements = ruleset.achievements().stream()
                .collect(Collectors.toMap(Achievement::key, Achievement::id));
        this.systems = ruleset.pointsSystems().stream()
                .collect(Collectors.toMap(PointsSystem::key, PointsSystem::id));
        this.attributes = ruleset.attributes().stream().collect(
                Collectors.groupingBy(Attribute::type, Collectors.toMap(Attribute::key, Attribute::id)));
    }

    UUID ofMetric(String key) {
        return metrics.get(key);
    }

    UUID ofPointsSystem(String key) {
        return systems.get(key);
    }

    UUID ofAttribute(AttributeType type, String key) {
        return attributes.getOrDefault(type, Map.of()).get(key);
    }

    UUID ofAchievement(String key) {
        return achievements.get(key);
    }

    List<FilterConfigBody> filters(AttributeType type, List<AttributeFilter> filters) {
        Map<String, UUID> ids = attributes.getOrDefault(type, Map.of());
        return filters.stream().map(filter -> new FilterConfigBody(ids.get(filter.attribute()), filter.value()))
                .toList();
    }
}
