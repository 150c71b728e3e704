package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** admin-api.md A4: a trigger. Of the fields that may be absent, those of its type are there. */
public record TriggerConfigBody(UUID id, String type, long points, String status,
        List<FilterConfigBody> userAttributes, boolean blockIfOutOfPoints, Optional<UUID> metricId,
        Optional<Long> metricThreshold, Optional<List<FilterConfigBody>> eventAttributes,
        Optional<UUID> achievementId, Optional<Integer> streakLength, Optional<String> timeUnit,
        Optional<Integer> timeInterval) implements AdminBody {}
