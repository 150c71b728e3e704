package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** application-api.md §2 "Points": what one event changed in one system. */
public record EventPointsBody(UUID id, String key, String name, String description, String badgeUrl, Long maxPoints,
        long total, long added, Optional<Present<LevelBody>> level, List<AwardBody> awards) {}
