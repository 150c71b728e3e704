package dev.laurel.schemas.wire;

import java.util.List;
import java.util.UUID;

/** {@code GET /users/{id}/points/{key}}; the newest award first. */
public record UserPointsBody(UUID id, String key, String name, String description, String badgeUrl, Long maxPoints,
        long total, LevelBody level, List<AwardBody> awards) {}
