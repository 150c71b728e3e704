package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the webhook deliveries of one partition of the last seven days, while its task writes them. Thread-safe; fails with
 * {@code InvalidStateStoreException} while the partition is not open here.
 */
public interface DeliveryLog {

    /** How long deliveries are kept (docs/webhooks.md §1). */
    Duration KEPT = Duration.ofDays(7);

    /** The most deliveries that one call examines; older ones are not found. */
    int MAX_EXAMINED = 20_000;

    /**
     * The ids of the newest deliveries of a webhook, newest first. Results of several partitions have to be merged by
     * {@code DeliveryIds.NEWEST_FIRST}.
     *
     * @param status null for any
     * @param event null for any
     * @param limit how many at most
     */
    List<UUID> newest(TenantId tenant, UUID webhook, WebhookDelivery.@Nullable Status status,
            @Nullable WebhookEvent event, int limit);

    /** Null if it is unknown or has expired. @param id made by {@code DeliveryIds} */
    @Nullable
    WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id);

    /** The body, JSON; null if it has expired. */
    @Nullable
    String payload(TenantId tenant, WebhookDelivery delivery);
}
