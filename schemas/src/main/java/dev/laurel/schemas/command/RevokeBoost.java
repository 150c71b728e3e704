package dev.laurel.schemas.command;

import java.util.UUID;

/**
 * Takes a user's own boost away; awards it has multiplied stay as they are.
 *
 * @param system key of the points system that it must be in, null for any
 */
public record RevokeBoost(UserChange user, UUID boostId, String system) implements UserCommand {}
