package dev.laurel.processors.store;

import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads the webhook deliveries of one partition of the last seven days, while its task writes them. Thread-safe; fails with
 * {@code InvalidStateStoreException} while the partition is not open on this node.
 */
public interface DeliveryLog {

    /** The time for which deliveries are stored (docs/webhooks.md §1). */
    Duration KEPT = Duration.ofDays(7);

    /** The most deliveries that one call examines; older ones are not found. */
    int MAX_EXAMINED = 20_000;

    /**
     * The ids of the newest deliveries of a webhook, newest first. A caller that merges the results of several partitions orders them
     * by {@code DeliveryIds.NEWEST_FIRST}.
     *
     * @param status null for any
     * @param event null for any
     */
    List<UUID> newest(TenantId tenant, UUID webhook, WebhookDelivery.@Nullable Status status,
            @Nullable WebhookEvent event, int limit);

    /** Null if the delivery is unknown or has expired. @param id made by {@code DeliveryIds} */
    @Nullable
    WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id);

    /** The body, JSON; null if it has expired. */
    @Nullable
    String payload(TenantId tenant, WebhookDelivery delivery);

    /** Reads deliveries from the store of a partition. @param store opens the store; called for each read */
    record Stored(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store) implements DeliveryLog {

        @Override
        public List<UUID> newest(TenantId tenant, UUID webhook, WebhookDelivery.@Nullable Status status,
                @Nullable WebhookEvent event, int limit) {
            var newest = new ArrayList<UUID>();
            var endpoint = new Endpoint(tenant, webhook);
            int examined = 0;
            try (var found = store.get().reverseRange(WebhookKeys.deliveriesFrom(endpoint, 0),
                    WebhookKeys.afterAll(WebhookKeys.DELIVERY, endpoint))) {
                while (found.hasNext() && newest.size() < limit && examined++ < MAX_EXAMINED) {
                    var entry = found.next();
                    if (status == null && event == null || matches(entry.value, status, event)) {
                        newest.add(StoreKeys.idAtEndOf(entry.key));
                    }
                }
            }
            return newest;
        }

        private static boolean matches(byte[] stored, WebhookDelivery.@Nullable Status status,
                @Nullable WebhookEvent event) {
            WebhookDelivery delivery = WebhookCodecs.DELIVERY.decode(stored);
            return (status == null || delivery.status() == status) && (event == null || delivery.event() == event);
        }

        @Override
        public @Nullable WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
            return WebhookCodecs.DELIVERY
                    .decodeIfPresent(store.get().get(WebhookKeys.delivery(new Endpoint(tenant, webhook), id)));
        }

        @Override
        public @Nullable String payload(TenantId tenant, WebhookDelivery delivery) {
            byte[] body = WebhookStore.body(store.get(), tenant, delivery);
            return body == null ? null : new String(body, UTF_8);
        }
    }
}
