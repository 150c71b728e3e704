package dev.laurel.delivery.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.StoreKeys;
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

/**
 * Reads the webhook deliveries of one partition of the last seven days, while its task writes them. Thread-safe; fails with
 * {@code InvalidStateStoreException} while the partition is not open on this node.
 */
public interface DeliveryLog {

    /** The time for which deliveries are stored (docs/webhooks.md §1). */
    Duration KEPT = Duration.ofDays(7);

    /** The most deliveries that one call examines. */
    int MAX_EXAMINED = 20_000;

    /**
     * Found deliveries.
     *
     * @param ids newest first; a caller that merges the results of several partitions orders them by
     *        {@code DeliveryIds.NEWEST_FIRST}
     * @param examinedTo the last delivery that was examined, if older ones may match and were not examined because of
     *        {@link #MAX_EXAMINED}; else null
     */
    record Found(List<UUID> ids, @Nullable UUID examinedTo) {}

    /**
     * Finds the newest deliveries of a webhook.
     *
     * @param status null for any
     * @param event null for any
     * @param after only deliveries that follow this id in {@code DeliveryIds.NEWEST_FIRST}, which need not exist; null for all
     */
    Found find(
            TenantId tenant,
            UUID webhook,
            WebhookDelivery.@Nullable Status status,
            @Nullable WebhookEvent event,
            @Nullable UUID after,
            int limit);

    /** Null if the delivery is unknown or has expired. @param id made by {@code DeliveryIds} */
    @Nullable
    WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id);

    /** The body, JSON; null if it has expired. */
    @Nullable
    String payload(TenantId tenant, WebhookDelivery delivery);

    /** Reads deliveries from the store of a partition. @param store opens the store; called for each read */
    record Stored(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store) implements DeliveryLog {

        @Override
        public Found find(
                TenantId tenant,
                UUID webhook,
                WebhookDelivery.@Nullable Status status,
                @Nullable WebhookEvent event,
                @Nullable UUID after,
                int limit) {
            var newest = new ArrayList<UUID>();
            var endpoint = new Endpoint(tenant, webhook);
            UUID last = null;
            try (var found = store.get()
                    .reverseRange(
                            WebhookKeys.deliveriesFrom(endpoint, 0),
                            after == null
                                    ? WebhookKeys.afterAll(WebhookKeys.DELIVERY, endpoint)
                                    : WebhookKeys.delivery(endpoint, after))) {
                int examined = 0;
                while (found.hasNext() && newest.size() < limit) {
                    if (examined++ == MAX_EXAMINED) {
                        return new Found(newest, last);
                    }
                    var entry = found.next();
                    last = StoreKeys.idAtEndOf(entry.key);
                    if (!last.equals(after)
                            && (status == null && event == null || matches(entry.value, status, event))) {
                        newest.add(last);
                    }
                }
            }
            return new Found(newest, null);
        }

        private static boolean matches(
                byte[] stored, WebhookDelivery.@Nullable Status status, @Nullable WebhookEvent event) {
            WebhookDelivery delivery = WebhookStore.DELIVERY.decode(stored);
            return (status == null || delivery.status() == status) && (event == null || delivery.event() == event);
        }

        @Override
        public @Nullable WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
            return WebhookStore.DELIVERY.decodeIfPresent(
                    store.get().get(WebhookKeys.delivery(new Endpoint(tenant, webhook), id)));
        }

        @Override
        public @Nullable String payload(TenantId tenant, WebhookDelivery delivery) {
            byte[] body = WebhookStore.body(store.get(), tenant, delivery);
            return body == null ? null : new String(body, UTF_8);
        }
    }
}
