package dev.laurel.processors.store;

import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads deliveries from the store of a partition. */
public final class StoredDeliveryLog implements DeliveryLog {

    private final Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store;

    /** @param store opens the store; called for each read */
    public StoredDeliveryLog(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store) {
        this.store = store;
    }

    @Override
    public List<UUID> newest(TenantId tenant, UUID webhook, WebhookDelivery.Status status, WebhookEvent event,
            int limit) {
        var newest = new ArrayList<UUID>();
        var endpoint = new Endpoint(tenant, webhook);
        int examined = 0;
        try (var found = store.get()
                .reverseRange(WebhookKeys.deliveriesFrom(endpoint, 0),
                        WebhookKeys.afterAll(WebhookKeys.DELIVERY, endpoint))) {
            while (found.hasNext() && newest.size() < limit && examined++ < MAX_EXAMINED) {
                var entry = found.next();
                if (status == null && event == null || isOne(entry.value, status, event)) {
                    newest.add(WebhookKeys.idAtEndOf(entry.key));
                }
            }
        }
        return newest;
    }

    private static boolean isOne(byte[] stored, WebhookDelivery.Status status, WebhookEvent event) {
        WebhookDelivery delivery = WebhookCodecs.DELIVERY.decode(stored);
        return (status == null || delivery.status() == status) && (event == null || delivery.event() == event);
    }

    @Override
    public WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
        return WebhookCodecs.DELIVERY.decode(store.get()
                .get(WebhookKeys.delivery(new Endpoint(tenant, webhook), id)));
    }

    @Override
    public String payload(TenantId tenant, WebhookDelivery delivery) {
        WebhookCodecs.Body body = WebhookCodecs.BODY.decode(store.get()
                .get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
        return body == null ? null : new String(body.bytes(), UTF_8);
    }
}
