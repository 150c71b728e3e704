package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.List;
import java.util.UUID;

/**
 * What one partition has delivered to webhooks in the last seven days, read while its task writes it. Thread-safe; fails with
 * {@code InvalidStateStoreException} while the partition is not open here.
 */
public interface DeliveryLog {

    /** The most deliveries that one call looks at: what lies further back than so many others is not found. */
    int MAX_EXAMINED = 20_000;

    /**
     * The newest deliveries of a webhook, newest first: their ids, for which only a filter looks at the deliveries
     * themselves. Of several partitions the newest of each have to be merged by {@code DeliveryIds.NEWEST_FIRST}.
     *
     * @param status null: of any
     * @param event null: any
     * @param limit at most so many
     */
    List<UUID> newest(TenantId tenant, UUID webhook, HookDelivery.Status status, WebhookEvent event, int limit);

    /** Null if it is not known, or no longer. @param id made by {@code DeliveryIds} */
    HookDelivery delivery(TenantId tenant, UUID webhook, UUID id);

    /** What was sent, or will be: JSON; null if it is kept no longer. */
    String payload(TenantId tenant, HookDelivery delivery);
}
