package dev.laurel.schemas.command;

import java.time.LocalDate;
import java.util.UUID;

/**
 * Protects a known user's streak on these days (admin-api.md A6).
 *
 * @param pauseId chosen by who asks; a repeated id is refused
 * @param start first day, not before the user's local today
 * @param end last day, inclusive
 */
public record PlanPause(UserChange user, UUID pauseId, LocalDate start, LocalDate end) implements UserCommand {}
