package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/** {@code GET /users/{id}/metrics/{key}}. */
public record MetricBody(UUID id, String key, String name, String status, BigDecimal current,
        List<AchievementBody> achievements) {}
