package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** application-api.md §2 "Points": a trigger as it is shown inside an award. */
public record TriggerBody(UUID id, String type, long points, String status, Optional<UUID> metricId,
        Optional<String> metricName, Optional<Long> metricThreshold, List<AttributeFilterBody> userAttributes,
        Optional<List<AttributeFilterBody>> eventAttributes, Instant created, Instant updated) {}
