package dev.laurel.query.http;

import dev.laurel.processors.store.DeliveryLog;
import dev.laurel.processors.store.WebhookDelivery.Status;
import dev.laurel.processors.store.WebhookDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** The deliveries of a partition in memory, newest first. */
final class InMemoryDeliveryLog implements DeliveryLog {

    private final Map<String, WebhookDelivery> deliveries = new ConcurrentSkipListMap<>(Comparator.reverseOrder());
    private volatile boolean isOpen = true;
    private volatile int largestLimit;

    void put(WebhookDelivery delivery) {
        deliveries.put(delivery.created() + " " + delivery.id(), delivery);
    }

    boolean isEmpty() {
        return deliveries.isEmpty();
    }

    /** Closes the partition. */
    void close() {
        isOpen = false;
    }

    /** The largest limit of any request. */
    int largestLimit() {
        return largestLimit;
    }

    @Override
    public List<UUID> newest(TenantId tenant, UUID webhook, Status status, WebhookEvent event, int limit) {
        expectOpen();
        largestLimit = Math.max(largestLimit, limit);
        return deliveries.values().stream().filter(delivery -> status == null || delivery.status() == status)
                .filter(delivery -> event == null || delivery.event() == event).limit(limit).map(WebhookDelivery::id)
                .toList();
    }

    @Override
    public WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
        expectOpen();
        return deliveries.values().stream().filter(delivery -> delivery.id().equals(id)).findFirst().orElse(null);
    }

    @Override
    public String payload(TenantId tenant, WebhookDelivery delivery) {
        expectOpen();
        return delivery.source() == null ? null : "{\"type\":\"" + delivery.event().type() + "\",\"length\":1.50}";
    }

    private void expectOpen() {
        if (!isOpen) {
            throw new InvalidStateStoreException("closed");
        }
    }
}
