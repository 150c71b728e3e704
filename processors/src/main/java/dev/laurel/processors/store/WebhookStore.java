package dev.laurel.processors.store;

import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The store of webhooks of one partition, read and written by their task. One thread. All of it is one store with one
 * changelog: of what was written before a crash the first part is there after it, never the last without the first.
 */
public final class WebhookStore {

    /**
     * What waits for a webhook on behalf of one user; there is a lane while something does.
     *
     * @param first the delivery that is sent now or next
     * @param next number of the one behind it
     * @param end number that the next to come gets; {@code next} if nothing is behind the first
     */
    public record Lane(UUID first, long next, long end) {

        public boolean isLast() {
            return next == end;
        }
    }

    /** A delivery to be tried again. @param isAsked by an operator */
    public record Retry(long dueMs, UUID id, boolean isAsked) {}

    private final KeyValueStore<Bytes, byte[]> store;

    public WebhookStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** RocksDB, with a changelog topic of its own. */
    public static StoreBuilder<?> builder() {
        return LedgerStores.builder(StoreNames.WEBHOOKS, false);
    }

    // Deliveries and bodies.

    /** Null if it is not known, or no longer. */
    public HookDelivery delivery(Endpoint endpoint, UUID id) {
        return WebhookCodecs.DELIVERY.decode(store.get(WebhookKeys.delivery(endpoint, id)));
    }

    public void putDelivery(Endpoint endpoint, HookDelivery delivery) {
        store.put(WebhookKeys.delivery(endpoint, delivery.id()), WebhookCodecs.DELIVERY.encode(delivery));
    }

    /** Null if it is kept no longer. */
    public byte[] body(TenantId tenant, HookDelivery delivery) {
        return WebhookCodecs.BYTES.decode(
                store.get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
    }

    /** @param timeMs at which it happened */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] body) {
        store.put(WebhookKeys.body(tenant, timeMs, source), WebhookCodecs.BYTES.encode(body));
    }

    // Lanes.

    /** Null if nothing waits in it. */
    public Lane lane(Endpoint endpoint, byte[] lane) {
        return WebhookCodecs.LANE.decode(store.get(WebhookKeys.lane(endpoint, lane)));
    }

    public void putLane(Endpoint endpoint, byte[] lane, Lane state) {
        store.put(WebhookKeys.lane(endpoint, lane), WebhookCodecs.LANE.encode(state));
    }

    public void deleteLane(Endpoint endpoint, byte[] lane) {
        store.delete(WebhookKeys.lane(endpoint, lane));
    }

    public UUID waiting(Endpoint endpoint, byte[] lane, long number) {
        return WebhookCodecs.ID.decode(store.get(WebhookKeys.waiting(endpoint, lane, number)));
    }

    public void putWaiting(Endpoint endpoint, byte[] lane, long number, UUID id) {
        store.put(WebhookKeys.waiting(endpoint, lane, number), WebhookCodecs.ID.encode(id));
    }

    public void deleteWaiting(Endpoint endpoint, byte[] lane, long number) {
        store.delete(WebhookKeys.waiting(endpoint, lane, number));
    }

    // Turns: which lane comes next.

    /** The lane that has this number; null if none has. */
    public byte[] turn(Endpoint endpoint, long number) {
        return WebhookCodecs.BYTES.decode(store.get(WebhookKeys.turn(endpoint, number)));
    }

    public void putTurn(Endpoint endpoint, long number, byte[] lane) {
        store.put(WebhookKeys.turn(endpoint, number), WebhookCodecs.BYTES.encode(lane));
    }

    public void deleteTurn(Endpoint endpoint, long number) {
        store.delete(WebhookKeys.turn(endpoint, number));
    }

    /** The lowest number from this one on that a lane has, -1 if there is none. */
    public long firstTurn(Endpoint endpoint, long from) {
        try (var found = store.range(WebhookKeys.turn(endpoint, from),
                WebhookKeys.afterAll(WebhookKeys.TURN, endpoint))) {
            return found.hasNext() ? WebhookKeys.turnOf(found.next().key) : -1;
        }
    }

    /** The highest number that a lane has, -1 if none has any. */
    public long lastTurn(Endpoint endpoint) {
        try (var found = store.reverseRange(WebhookKeys.turn(endpoint, 0),
                WebhookKeys.afterAll(WebhookKeys.TURN, endpoint))) {
            return found.hasNext() ? WebhookKeys.turnOf(found.next().key) : -1;
        }
    }

    // Retries.

    public void putRetry(Endpoint endpoint, Retry retry) {
        store.put(WebhookKeys.retry(endpoint, retry.dueMs(), retry.id()), WebhookCodecs.FLAG.encode(retry.isAsked()));
    }

    public void deleteRetry(Endpoint endpoint, Retry retry) {
        store.delete(WebhookKeys.retry(endpoint, retry.dueMs(), retry.id()));
    }

    /** The first retry behind this one; null if there is none. @param after null: of all */
    public Retry firstRetry(Endpoint endpoint, Retry after) {
        Bytes from = after == null
                ? WebhookKeys.first(WebhookKeys.RETRY, endpoint)
                : StoreKeys.after(WebhookKeys.retry(endpoint, after.dueMs(), after.id()));
        try (var found = store.range(from, WebhookKeys.afterAll(WebhookKeys.RETRY, endpoint))) {
            if (!found.hasNext()) {
                return null;
            }
            var entry = found.next();
            return new Retry(WebhookKeys.dueMsOf(entry.key), WebhookKeys.idAtEndOf(entry.key),
                    WebhookCodecs.FLAG.decode(entry.value));
        }
    }

    /** The webhooks for which something waits. One look each, however much that is. */
    public Set<Endpoint> awaited() {
        var endpoints = new LinkedHashSet<Endpoint>();
        for (char kind : new char[]{WebhookKeys.TURN, WebhookKeys.RETRY}) {
            Bytes from = WebhookKeys.first(kind);
            while (from != null) {
                Endpoint endpoint = firstEndpoint(from, WebhookKeys.afterAll(kind));
                if (endpoint != null) {
                    endpoints.add(endpoint);
                }
                from = endpoint == null ? null : WebhookKeys.afterAll(kind, endpoint);
            }
        }
        return endpoints;
    }

    private Endpoint firstEndpoint(Bytes from, Bytes end) {
        try (var found = store.range(from, end)) {
            return found.hasNext() ? WebhookKeys.endpointOf(found.next().key) : null;
        }
    }

    // What is too old.

    /**
     * Forgets bodies of what happened before this time.
     *
     * @param fromMs there are none of a time before
     * @return from which time on there are some left, at most {@code beforeMs}
     */
    public long sweepBodies(long fromMs, long beforeMs, int limit) {
        var old = new ArrayList<Bytes>();
        long leftFromMs = beforeMs;
        try (var found = store.range(WebhookKeys.bodiesFrom(fromMs), WebhookKeys.bodiesFrom(beforeMs))) {
            while (found.hasNext()) {
                Bytes key = found.next().key;
                if (old.size() == limit) {
                    leftFromMs = WebhookKeys.timeOfBody(key);
                    break;
                }
                old.add(key);
            }
        }
        old.forEach(store::delete);
        return leftFromMs;
    }

    /** The first webhook behind this one that has deliveries; null if there is none. @param after null: of all */
    public Endpoint endpointAfter(Endpoint after) {
        return firstEndpoint(after == null
                ? WebhookKeys.first(WebhookKeys.DELIVERY)
                : WebhookKeys.afterAll(WebhookKeys.DELIVERY, after), WebhookKeys.afterAll(WebhookKeys.DELIVERY));
    }

    /** Forgets deliveries of one webhook as {@link #sweepBodies} does bodies. */
    public long sweepDeliveries(Endpoint endpoint, long fromMs, long beforeMs, int limit) {
        var old = new ArrayList<Bytes>();
        long leftFromMs = beforeMs;
        try (var found = store.range(WebhookKeys.deliveriesFrom(endpoint, fromMs),
                WebhookKeys.deliveriesFrom(endpoint, beforeMs))) {
            while (found.hasNext()) {
                Bytes key = found.next().key;
                if (old.size() == limit) {
                    leftFromMs = DeliveryIds.timeMs(WebhookKeys.idAtEndOf(key));
                    break;
                }
                old.add(key);
            }
        }
        old.forEach(store::delete);
        return leftFromMs;
    }
}
