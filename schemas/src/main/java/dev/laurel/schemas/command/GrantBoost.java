package dev.laurel.schemas.command;

import dev.laurel.schemas.ruleset.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.UUID;

/**
 * Gives a known user a boost of their own, or changes the one with that id (admin-api.md A4 "boosts").
 *
 * @param boostId chosen by who asks
 * @param system the points system's key
 * @param end last day, inclusive; null if open
 */
public record GrantBoost(UserChange user, UUID boostId, String system, String name, LocalDate start, LocalDate end,
        BigDecimal multiplier, Rounding rounding) implements UserCommand {}
