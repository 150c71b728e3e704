package dev.laurel.processors.core.user;

/**
 * A period that was met.
 *
 * @param length of the streak at its end
 */
public record StreakPeriod(int length) {}
