package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.UUID;

/**
 * One kind of user interaction that is counted.
 *
 * @param number see {@link Ruleset}
 * @param unitType {@code number} or {@code currency}
 * @param units a label, or an ISO 4217 code; empty if unset
 */
public record Metric(int number, UUID id, String key, String name, String unitType, String units, Instant created) {}
