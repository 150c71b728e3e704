package dev.laurel.schemas.wire;

import java.util.List;
import java.util.UUID;

/** {@code GET /points/{key}}; the active triggers only. */
public record PointsSystemBody(UUID id, String key, String name, String description, String badgeUrl, Long maxPoints,
        List<TriggerBody> triggers) {}
