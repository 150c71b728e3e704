package dev.laurel.schemas.command;

/**
 * Ticks fire nothing until {@link TimersReleased} of the same hold: an import of history brackets itself with the two,
 * so that the clock of today does not run ahead of the past it is still writing. Holding twice is holding once.
 *
 * @param hold names the bracket, 1 to 100 characters
 */
public record TimersHeld(String hold) implements LogCommand {}
