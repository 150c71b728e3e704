package dev.laurel.schemas.topic;

import java.time.Instant;

/**
 * A record of {@code laurel.commands} that could not be used: where it lies, what it said, and why it was passed over.
 *
 * @param value as text, cut to {@link #MAX_VALUE_LENGTH}; the whole of it is still in the log at this place
 */
public record Rejection(String topic, int partition, long offset, Instant time, String key, String value,
        String reason) {

    public static final int MAX_VALUE_LENGTH = 4000;
}
