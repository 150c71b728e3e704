package dev.laurel.schemas.ruleset;

import java.util.List;
import java.util.UUID;

/**
 * A counter per user.
 *
 * @param description null if none
 * @param badgeUrl null if none
 * @param maxPoints the cap on a user's total, null if none
 */
public record PointsSystem(int number, UUID id, String key, String name, String description, String badgeUrl,
        Long maxPoints, List<PointsTrigger> triggers) {

    public PointsSystem {
        triggers = List.copyOf(triggers);
    }
}
