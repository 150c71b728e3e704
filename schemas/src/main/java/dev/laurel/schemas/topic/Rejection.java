package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.commands} that was skipped, or of {@code DirectTopics} that was not taken, because it is invalid: its
 * position, its content, and the reason.
 *
 * @param key key as text; null: the record has none. Of a record of a tenant's own topic, the key always names that tenant
 * @param value value as text, cut to {@link #MAX_VALUE_LENGTH} with {@code …} at its end, while the log has the whole value; null: the
 * record has none
 */
public record Rejection(
        String topic,
        int partition,
        long offset,
        Instant time,
        @Nullable String key,
        @Nullable String value,
        String reason) {

    public static final int MAX_VALUE_LENGTH = 4000;

    /** More characters than a rejection keeps, so that it marks the value as cut. */
    private static final int MAX_VALUE_BYTES = 4 * MAX_VALUE_LENGTH;

    private static final String CUT = "…";

    public Rejection {
        if (value != null && value.length() > MAX_VALUE_LENGTH) {
            value = UnicodeText.cut(value, MAX_VALUE_LENGTH - 1) + CUT;
        }
    }

    /** @param timestampMs of the record; negative: it has none */
    public static Rejection of(
            TopicPartition partition,
            long offset,
            long timestampMs,
            @Nullable String key,
            byte @Nullable [] value,
            String reason) {
        return new Rejection(
                partition.topic(),
                partition.partition(),
                offset,
                Instant.ofEpochMilli(Math.max(0, timestampMs)),
                key,
                value == null ? null : text(value, MAX_VALUE_BYTES),
                reason);
    }

    /** A key as text. */
    public static @Nullable String keyOf(byte @Nullable [] key) {
        return key == null ? null : text(key, MAX_VALUE_LENGTH);
    }

    private static String text(byte[] bytes, int maxBytes) {
        return new String(bytes, 0, Math.min(bytes.length, maxBytes), UTF_8);
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
