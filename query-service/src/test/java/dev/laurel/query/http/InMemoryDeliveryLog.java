package dev.laurel.query.http;

import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
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
    private volatile int maxExamined = Integer.MAX_VALUE;

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

    /** Lets each request examine at most this many deliveries. */
    void examineAtMost(int number) {
        maxExamined = number;
    }

    @Override
    public Found find(TenantId tenant, UUID webhook, Status status, WebhookEvent event, UUID after, int limit) {
        expectOpen();
        largestLimit = Math.max(largestLimit, limit);
        List<WebhookDelivery> following = deliveries.values().stream()
                .filter(delivery -> after == null || DeliveryIds.NEWEST_FIRST.compare(delivery.id(), after) > 0)
                .toList();
        List<WebhookDelivery> examined = following.stream().limit(maxExamined).toList();
        List<UUID> found = examined.stream()
                .filter(delivery -> status == null || delivery.status() == status)
                .filter(delivery -> event == null || delivery.event() == event)
                .limit(limit)
                .map(WebhookDelivery::id)
                .toList();
        return new Found(
                found,
                found.size() < limit && examined.size() < following.size()
                        ? examined.getLast().id()
                        : null);
    }

    @Override
    public WebhookDelivery delivery(TenantId tenant, UUID webhook, UUID id) {
        expectOpen();
        return deliveries.values().stream()
                .filter(delivery -> delivery.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Override
    public String payload(TenantId tenant, WebhookDelivery delivery) {
        expectOpen();
        return delivery.source() == null
                ? null
                : "{\"type\":\"" + delivery.event().type() + "\",\"length\":1.50}";
    }

    private void expectOpen() {
        if (!isOpen) {
            throw new InvalidStateStoreException("closed");
        }
    }
}
