package dev.laurel.schemas.command;

/**
 * Upserts a user without an event.
 *
 * @param mustExist refuse if the user is unknown (PATCH), instead of creating it
 */
public record IdentifyUser(UserChange user, boolean mustExist) implements UserCommand {}
