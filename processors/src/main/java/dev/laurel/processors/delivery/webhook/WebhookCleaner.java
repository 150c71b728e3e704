package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.DeliveryLog;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.processors.store.WebhookStore.Erasure;
import dev.laurel.schemas.outbox.Outgoing;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * Deletes deliveries and bodies that have expired, and those of erased users, a little with each step. Positions in the queue
 * stay, and are skipped when they come up. One task, one thread.
 */
final class WebhookCleaner {

    /** Events of one erased user in a step. */
    static final int MAX_ERASED_EVENTS = 256;

    private static final int MAX_BODIES = 1_000;
    private static final int MAX_DELIVERIES = 2_000;

    private final WebhookStore store;

    /** Before these times there is nothing: what was deleted is not scanned again. */
    private long bodiesFromMs;
    private final Map<Endpoint, Long> deliveriesFromMs = new HashMap<>();

    /** The webhooks that have deliveries, the one whose turn it is first. */
    private final LinkedHashSet<Endpoint> endpoints;

    /** Whether erasures may be left to do. After a start that is not known. */
    private boolean isErasing = true;

    WebhookCleaner(WebhookStore store) {
        this.store = store;
        this.endpoints = new LinkedHashSet<>(store.known());
    }

    /** The webhook has deliveries. */
    void add(Endpoint endpoint) {
        endpoints.add(endpoint);
    }

    /** Deletes some of what has expired. */
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

    /** Begins to delete what happened to a user until the erasure, not what happens to a later user of the same id. */
    void erase(byte[] userKey, Outgoing.UserErased erased) {
        store.putErasure(new Erasure(erased.tenant(), userKey, erased.at().toEpochMilli()));
        isErasing = true;
        erase();
    }

    /** Deletes some of what is known of erased users. */
    void erase() {
        if (!isErasing) {
            return;
        }
        Erasure erasure = store.firstErasure();
        if (erasure == null) {
            isErasing = false;
        } else if (store.forget(erasure, MAX_ERASED_EVENTS)) {
            store.deleteErasure(erasure);
        }
    }
}
