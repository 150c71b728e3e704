package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.UUID;

/**
 * An object that was taken out of the ruleset. What users have of it is kept under its number, so a later version that
 * names the same kind and key again goes on where it ended.
 */
public record Retired(String kind, String key, int number, UUID id, Instant created) {}
