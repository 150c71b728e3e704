package dev.laurel.delivery.webhook;

import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookStore.Endpoint;
import dev.laurel.delivery.store.WebhookStore.Erasure;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.schemas.outbox.Outgoing;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * Deletes expired deliveries and bodies, and those of erased users, in steps. Their positions in the queue stay, and are skipped when
 * they are due. One task, one thread.
 */
final class WebhookCleaner {

    /** The most events of one erased user in a step. */
    static final int MAX_ERASED_EVENTS = 256;

    private static final int MAX_BODIES = 1_000;
    private static final int MAX_DELIVERIES = 2_000;

    private final WebhookStore store;

    /** Times before which nothing is stored: deleted entries are not scanned again. */
    private long bodiesFromMs;
    private final Map<Endpoint, Long> deliveriesFromMs = new HashMap<>();

    /** The webhooks that have deliveries, in the order in which they are cleaned. */
    private final LinkedHashSet<Endpoint> endpoints;

    /** Whether erasures may be unfinished; after a start they may. */
    private boolean isErasing = true;

    WebhookCleaner(WebhookStore store) {
        this.store = store;
        this.endpoints = new LinkedHashSet<>(store.known());
    }

    /** Notes that a webhook has deliveries. */
    void add(Endpoint endpoint) {
        endpoints.add(endpoint);
    }

    /** Deletes some expired bodies and deliveries. */
    void expire(long nowMs) {
        long beforeMs = nowMs - DeliveryLog.KEPT.toMillis();
        if (beforeMs > bodiesFromMs) {
            bodiesFromMs = store.sweepBodies(bodiesFromMs, beforeMs, MAX_BODIES);
        }
        if (!endpoints.isEmpty()) {
            Endpoint endpoint = endpoints.removeFirst();
            endpoints.addLast(endpoint);
            long fromMs = deliveriesFromMs.getOrDefault(endpoint, 0L);
            if (beforeMs > fromMs) {
                deliveriesFromMs.put(endpoint, store.sweepDeliveries(endpoint, fromMs, beforeMs, MAX_DELIVERIES));
            }
        }
    }

    /** Starts to delete events of a user up to the erasure, but not those of a later user of the same id. */
    void erase(byte[] userKey, Outgoing.UserErased erased) {
        store.putErasure(new Erasure(erased.tenant(), userKey, erased.at().toEpochMilli()));
        isErasing = true;
        erase();
    }

    /** Deletes some events of erased users. @return whether some may be left */
    boolean erase() {
        if (!isErasing) {
            return false;
        }
        Erasure erasure = store.firstErasure();
        if (erasure == null) {
            isErasing = false;
        } else if (store.forget(erasure, MAX_ERASED_EVENTS)) {
            store.deleteErasure(erasure);
        }
        return isErasing;
    }
}
