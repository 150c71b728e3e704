package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/** Forgets deliveries and bodies when the log's time is over, a little with each step. One task, one thread. */
final class WebhookSweep {

    private static final int MAX_BODIES = 1_000;
    private static final int MAX_DELIVERIES = 2_000;

    private final WebhookStore store;

    /** Before these times there is nothing: what was deleted is not walked over again. */
    private long bodiesFromMs;
    private final Map<Endpoint, Long> deliveriesFromMs = new HashMap<>();

    /** The webhooks that have deliveries, the one whose turn it is first. */
    private final LinkedHashSet<Endpoint> endpoints = new LinkedHashSet<>();

    WebhookSweep(WebhookStore store) {
        this.store = store;
        for (Endpoint next = store.endpointAfter(null); next != null; next = store.endpointAfter(next)) {
            endpoints.add(next);
        }
    }

    /** It has deliveries. */
    void add(Endpoint endpoint) {
        endpoints.add(endpoint);
    }

    /** @param beforeMs what happened before is forgotten */
    void step(long beforeMs) {
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
}
