package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of an event to a webhook (docs/admin-api.md B5).
 *
 * @param status {@code pending}, {@code succeeded} or {@code failed}
 * @param payload the payload as plain values; null if it is no longer kept
 */
public record WebhookDeliveryBody(UUID id, String event, String status, List<AttemptBody> attempts,
        @Nullable Object payload, Instant created) {

    /** @param responseStatus null if there was no answer */
    public record AttemptBody(Instant at, @Nullable Integer responseStatus, @Nullable String error, long durationMs) {}
}
