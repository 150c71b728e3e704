package dev.laurel.schemas.wire;

import java.util.UUID;

/** application-api.md §2 "Points": a level. */
public record LevelBody(UUID id, String key, String name, String description, String badgeUrl, long points) {}
