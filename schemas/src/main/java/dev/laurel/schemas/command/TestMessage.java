package dev.laurel.schemas.command;

import java.util.UUID;

/**
 * Sends a known user one message now, made with this template, whatever its status and whatever the user wants
 * (admin-api.md B4 "test"). Changes nothing of the user.
 *
 * @param template its id
 */
public record TestMessage(UserChange user, UUID template) implements UserCommand {}
