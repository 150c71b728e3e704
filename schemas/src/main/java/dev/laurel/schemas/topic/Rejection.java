package dev.laurel.schemas.topic;

import dev.laurel.schemas.input.UnicodeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.commands} that was skipped because it is invalid: its position, its content, and the reason.
 *
 * @param key key as text; null: the record has none
 * @param value value as text, cut to {@link #MAX_VALUE_LENGTH} with {@code …} at its end, while the log has the whole value; null: the record has none
 */
public record Rejection(String topic, int partition, long offset, Instant time, @Nullable String key,
        @Nullable String value, String reason) {

    public static final int MAX_VALUE_LENGTH = 4000;

    public Rejection {
        if (value != null && value.length() > MAX_VALUE_LENGTH) {
            value = UnicodeText.cut(value, MAX_VALUE_LENGTH - 1) + "…";
        }
    }
}
