package dev.laurel.schemas.wire;

import java.util.UUID;

/** A points system and what a user has of it (webhooks.md §2, points.level_changed). */
public record SystemTotalBody(UUID id, String key, String name, String description, String badgeUrl, Long maxPoints,
        long total) {}
