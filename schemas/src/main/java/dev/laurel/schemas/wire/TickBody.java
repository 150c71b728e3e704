package dev.laurel.schemas.wire;

/**
 * The answer to a tick, for those who send one and wait.
 *
 * @param more whether another tick of the same time would find more to do
 */
public record TickBody(boolean more) {}
