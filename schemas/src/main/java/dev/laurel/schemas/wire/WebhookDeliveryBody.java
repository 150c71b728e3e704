package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An event at a webhook (admin-api.md B5).
 *
 * @param status {@code pending}, {@code succeeded} or {@code failed}
 * @param payload what is sent, as plain values; null if it is kept no longer
 */
public record WebhookDeliveryBody(UUID id, String event, String status, List<AttemptBody> attempts, Object payload,
        Instant created) {

    /** @param responseStatus null if there was no answer @param error null if there is nothing to say */
    public record AttemptBody(Instant at, Integer responseStatus, String error, long durationMs) {}
}
