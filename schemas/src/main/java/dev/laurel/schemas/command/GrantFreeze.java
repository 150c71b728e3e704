package dev.laurel.schemas.command;

/** Gives a known user one streak freeze, unless that would exceed the maximum (admin-api.md A6). */
public record GrantFreeze(UserChange user) implements UserCommand {}
