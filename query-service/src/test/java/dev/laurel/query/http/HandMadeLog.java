package dev.laurel.query.http;

import dev.laurel.processors.delivery.webhook.DeliveryLog;
import dev.laurel.processors.delivery.webhook.HookDelivery.Status;
import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** What a partition knows of deliveries, in its order. */
final class HandMadeLog implements DeliveryLog {

    private final Map<String, HookDelivery> deliveries = new ConcurrentSkipListMap<>(Comparator.reverseOrder());
    private volatile boolean isOpen = true;
    private volatile int most;

    void put(HookDelivery delivery) {
        deliveries.put(delivery.created() + " " + delivery.id(), delivery);
    }

    boolean isEmpty() {
        return deliveries.isEmpty();
    }

    /** It is not open here any more. */
    void close() {
        isOpen = false;
    }

    /** As many were asked for at most. */
    int most() {
        return most;
    }

    @Override
    public List<UUID> newest(TenantId tenant, UUID webhook, Status status, WebhookEvent event, int limit) {
        expectOpen();
        most = Math.max(most, limit);
        return deliveries.values().stream().filter(delivery -> status == null || delivery.status() == status)
                .filter(delivery -> event == null || delivery.event() == event).limit(limit).map(HookDelivery::id)
                .toList();
    }

    @Override
    public HookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
        expectOpen();
        return deliveries.values().stream().filter(delivery -> delivery.id().equals(id)).findFirst().orElse(null);
    }

    @Override
    public String payload(TenantId tenant, HookDelivery delivery) {
        expectOpen();
        return delivery.source() == null ? null : "{\"type\":\"" + delivery.event().type() + "\",\"length\":1.50}";
    }

    private void expectOpen() {
        if (!isOpen) {
            throw new InvalidStateStoreException("moved");
        }
    }
}
