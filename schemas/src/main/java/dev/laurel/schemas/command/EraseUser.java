package dev.laurel.schemas.command;

/** Forgets a user: state, history, ledger, idempotency keys. An id that comes again is a new user. */
public record EraseUser(UserChange user) implements UserCommand {}
