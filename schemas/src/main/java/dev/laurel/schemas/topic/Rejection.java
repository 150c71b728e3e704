package dev.laurel.schemas.topic;

import dev.laurel.schemas.input.UnicodeText;
import java.time.Instant;

/**
 * A record of {@code laurel.commands} that was skipped because it is invalid: its place, its content, and the reason.
 *
 * @param key key as text; null if the record has none
 * @param value value as text, cut to {@link #MAX_VALUE_LENGTH}; the log still has all of it at this place; null if the
 *         record has none
 */
public record Rejection(String topic, int partition, long offset, Instant time, String key, String value,
        String reason) {

    public static final int MAX_VALUE_LENGTH = 4000;

    public Rejection {
        value = value == null ? null : UnicodeText.cut(value, MAX_VALUE_LENGTH);
    }
}
