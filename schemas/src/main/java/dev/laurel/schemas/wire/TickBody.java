package dev.laurel.schemas.wire;

/** The answer to a tick. @param more whether another tick of the same time would have an effect */
public record TickBody(boolean more) {}
