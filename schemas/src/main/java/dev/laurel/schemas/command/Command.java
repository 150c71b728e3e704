package dev.laurel.schemas.command;

/**
 * One record of {@code laurel.commands}: a request that may be refused ({@link UserCommand}, {@link OwnedCommand}) or a
 * marker of the log itself ({@link LogCommand}). Its time is the record's timestamp and is not repeated inside; the user of a
 * {@code UserCommand} is the record's key.
 */
public sealed interface Command permits UserCommand, OwnedCommand, LogCommand {}
