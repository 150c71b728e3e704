package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Awards or deducts points.
 *
 * @param number see {@link Ruleset}; a trigger that starts anew (its rule was edited, it is active again) gets a new one,
 *            and with it new counts
 * @param key unique in its points system; it ties the trigger to its entry in {@code laurel.yaml}
 * @param points never 0; negative deducts
 * @param userAttributes whom it pays: all must match at the moment of evaluation
 * @param activated time at which the present rule came into force; null while inactive
 */
public record PointsTrigger(int number, UUID id, String key, TriggerRule rule, long points, TriggerStatus status,
        List<AttributeFilter> userAttributes, Instant created, Instant updated, Instant activated) {

    public PointsTrigger {
        if (status == null) {
            // Written before triggers had a status: only what starts anew had changed it.
            status = TriggerStatus.ACTIVE;
            activated = updated;
        }
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }

    public boolean isActive() {
        return status == TriggerStatus.ACTIVE;
    }
}
