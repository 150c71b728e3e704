package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.UUID;

/**
 * Awards or deducts points.
 *
 * @param number see {@link Ruleset}; a trigger that starts anew (its rule was edited) gets a new one, and with it new counts
 * @param key unique in its points system; it ties the trigger to its entry in {@code laurel.yaml}
 * @param points never 0; negative deducts
 */
public record PointsTrigger(int number, UUID id, String key, TriggerRule rule, long points, Instant created,
        Instant updated) {}
