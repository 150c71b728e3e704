package dev.laurel.schemas.wire;

import java.util.UUID;

/** admin-api.md A4: a level. @param description empty if none, never null @param badge null if none */
public record LevelConfigBody(UUID id, String name, String key, long points, String description,
        BadgeBody badge) implements AdminBody {}
