package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md A4: a points system.
 *
 * @param description empty if none, never null
 * @param badge null if none
 * @param maxPoints null if there is no cap
 * @param levels those that were created with the system; absent if none were given, as are {@code boosts} and {@code triggers}
 */
public record PointsSystemConfigBody(UUID id, String name, String key, String description, BadgeBody badge,
        Long maxPoints, String levelAt, String status, Optional<List<LevelConfigBody>> levels,
        Optional<List<BoostConfigBody>> boosts,
        Optional<List<TriggerConfigBody>> triggers) implements AdminBody {}
