package dev.laurel.schemas.topic;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
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

    private static final String CUT = "…";

    public Rejection {
        if (value != null && value.length() > MAX_VALUE_LENGTH) {
            value = UnicodeText.cut(value, MAX_VALUE_LENGTH - 1) + CUT;
        }
    }

    /** Whether the log may have more of the value than this. */
    public boolean mayBeCut() {
        return value != null && value.length() >= MAX_VALUE_LENGTH - 1 && value.endsWith(CUT);
    }

    /** The tenant that the key names; null if there is no key, or it cannot be read. */
    public @Nullable TenantId tenantOfKey() {
        if (key == null) {
            return null;
        }
        try {
            return UserKey.parse(key).tenant();
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
