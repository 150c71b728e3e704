package dev.laurel.schemas.command;

import dev.laurel.schemas.ruleset.Rounding;
import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * What is to become different about a boost. Only the end can be cleared.
 *
 * @param start can change only while the boost has not started
 * @param end cleared: the boost is open
 */
public record BoostChange(Change<String> name, Change<LocalDate> start, Change<LocalDate> end,
        Change<BigDecimal> multiplier, Change<Rounding> rounding) {}
