package dev.laurel.schemas.command;

import java.util.UUID;

/** Takes a user's own boost away; awards it has multiplied stay as they are. */
public record RevokeBoost(UserChange user, UUID boostId) implements UserCommand {}
