package dev.laurel.schemas.command;

import java.util.UUID;

/** Ends a pause's protection of every period that is not over yet. */
public record DeletePause(UserChange user, UUID pauseId) implements UserCommand {}
