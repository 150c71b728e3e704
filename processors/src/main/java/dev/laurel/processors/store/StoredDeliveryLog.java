package dev.laurel.processors.store;

import dev.laurel.processors.delivery.webhook.DeliveryLog;
import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads one partition's store of webhooks from outside, while its task writes them: any thread. */
public final class StoredDeliveryLog implements DeliveryLog {

    private final Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store;

    /** @param store opens this partition's store */
    public StoredDeliveryLog(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store) {
        this.store = store;
    }

    @Override
    public List<UUID> newest(TenantId tenant, UUID webhook, HookDelivery.Status status, WebhookEvent event,
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

    private static boolean isOne(byte[] stored, HookDelivery.Status status, WebhookEvent event) {
        HookDelivery delivery = WebhookCodecs.DELIVERY.decode(stored);
        return (status == null || delivery.status() == status) && (event == null || delivery.event() == event);
    }

    @Override
    public HookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
        return WebhookCodecs.DELIVERY.decode(store.get()
                .get(WebhookKeys.delivery(new Endpoint(tenant, webhook), id)));
    }

    @Override
    public String payload(TenantId tenant, HookDelivery delivery) {
        WebhookCodecs.Body body = WebhookCodecs.BODY.decode(store.get()
                .get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
        return body == null ? null : new String(body.bytes(), UTF_8);
    }
}
