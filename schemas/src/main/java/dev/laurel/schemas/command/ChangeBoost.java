package dev.laurel.schemas.command;

import java.util.UUID;

/**
 * Changes a user's own boost; what is not given stays (admin-api.md A4 "boosts").
 *
 * @param system key of the points system that it must be in
 */
public record ChangeBoost(UserChange user, UUID boostId, String system, BoostChange change) implements UserCommand {}
