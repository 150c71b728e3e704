package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.UnicodeText;
import java.time.Instant;

/**
 * A record of {@code laurel.commands} that could not be used: where it lies, what it said, and why it was passed over.
 *
 * @param key as text, null if it had none
 * @param value as text, cut to {@link #MAX_VALUE_LENGTH}; the whole of it is still in the log at this place; null if it
 * had none
 */
public record Rejection(String topic, int partition, long offset, Instant time, String key, String value,
        String reason) {

    public static final int MAX_VALUE_LENGTH = 4000;

    public Rejection {
        value = value == null ? null : UnicodeText.cut(value, MAX_VALUE_LENGTH);
    }
}
