package dev.laurel.schemas.wire;

/**
 * The how-manieth message since the user was active last (webhooks.md §2).
 *
 * @param messageNumber 1 for the first
 * @param daysSinceLastActive full days of 24 hours since the last event
 */
public record ReactivationBody(int messageNumber, int daysSinceLastActive) {}
