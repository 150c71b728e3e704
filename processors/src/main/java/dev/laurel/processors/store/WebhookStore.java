package dev.laurel.processors.store;

import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
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
     * @param turn its number among the turns
     */
    public record Lane(UUID first, long next, long end, long turn) {

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
        WebhookCodecs.Body body = WebhookCodecs.BODY.decode(
                store.get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
        return body == null ? null : body.bytes();
    }

    /** About nobody. @param timeMs at which it happened */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] body) {
        store.put(WebhookKeys.body(tenant, timeMs, source),
                WebhookCodecs.BODY.encode(new WebhookCodecs.Body(new byte[0], body)));
    }

    /** @param owner key in the outbox @param webhooks that it is sent to */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] owner, List<UUID> webhooks, byte[] body) {
        store.put(WebhookKeys.owned(tenant, owner, timeMs, source), WebhookCodecs.IDS.encode(webhooks));
        store.put(WebhookKeys.body(tenant, timeMs, source),
                WebhookCodecs.BODY.encode(new WebhookCodecs.Body(owner, body)));
    }

    /** What happened to someone until then is to be forgotten. @param owner key in the outbox */
    public record Erasure(TenantId tenant, byte[] owner, long untilMs) {}

    public void putErasure(Erasure erasure) {
        store.put(WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()),
                WebhookCodecs.BYTES.encode(erasure.owner()));
    }

    public void deleteErasure(Erasure erasure) {
        store.delete(WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()));
    }

    /** Null if there is none. */
    public Erasure firstErasure() {
        try (var found = store.range(WebhookKeys.first(WebhookKeys.ERASURE),
                WebhookKeys.afterAll(WebhookKeys.ERASURE))) {
            if (!found.hasNext()) {
                return null;
            }
            var entry = found.next();
            return new Erasure(WebhookKeys.tenantOfErasure(entry.key), WebhookCodecs.BYTES.decode(entry.value),
                    WebhookKeys.untilOf(entry.key));
        }
    }

    /**
     * Forgets deliveries, with their bodies; their places are left over.
     *
     * @param limit how many events at most
     * @return whether there is nothing left of that
     */
    public boolean forget(Erasure erasure, int limit) {
        TenantId tenant = erasure.tenant();
        byte[] owner = erasure.owner();
        var found = new ArrayList<KeyValue<Bytes, byte[]>>();
        try (var entries = store.range(WebhookKeys.firstOwned(tenant, owner),
                WebhookKeys.ownedAfter(tenant, owner, erasure.untilMs()))) {
            while (entries.hasNext() && found.size() < limit) {
                found.add(entries.next());
            }
        }
        for (var entry : found) {
            long timeMs = WebhookKeys.timeOfOwned(entry.key);
            UUID source = WebhookKeys.idAtEndOf(entry.key);
            for (UUID webhook : WebhookCodecs.IDS.decode(entry.value)) {
                UUID id = DeliveryIds.of(owner, Instant.ofEpochMilli(timeMs), source, webhook);
                store.delete(WebhookKeys.delivery(new Endpoint(tenant, webhook), id));
            }
            store.delete(WebhookKeys.body(tenant, timeMs, source));
            store.delete(entry.key);
        }
        return found.size() < limit;
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

    /** The number of the first that waits behind the first of a lane, from this number on; -1 if none does. */
    public long firstWaiting(Endpoint endpoint, byte[] lane, long from, long end) {
        try (var found = store.range(WebhookKeys.waiting(endpoint, lane, from),
                WebhookKeys.waiting(endpoint, lane, end))) {
            return found.hasNext() ? WebhookKeys.numberOf(found.next().key) : -1;
        }
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

    public boolean hasRetry(Endpoint endpoint, long dueMs, UUID id) {
        return store.get(WebhookKeys.retry(endpoint, dueMs, id)) != null;
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

    // What is there, all of it in turn.

    /** Told of lanes. */
    public interface LaneVisitor {

        void visit(Endpoint endpoint, byte[] lane, Lane state);
    }

    /** Visits lanes, which may be changed meanwhile. @param after null: from the first @return the last; null if none is left */
    public Bytes visitLanes(Bytes after, int limit, LaneVisitor visitor) {
        List<KeyValue<Bytes, byte[]>> found = some(WebhookKeys.LANE, after, limit);
        for (var entry : found) {
            Endpoint endpoint = WebhookKeys.endpointOf(entry.key);
            visitor.visit(endpoint, WebhookKeys.laneOf(entry.key, endpoint), WebhookCodecs.LANE.decode(entry.value));
        }
        return found.size() < limit ? null : found.getLast().key;
    }

    /** Visits deliveries as {@link #visitLanes} does lanes. */
    public Bytes visitDeliveries(Bytes after, int limit, BiConsumer<Endpoint, HookDelivery> visitor) {
        List<KeyValue<Bytes, byte[]>> found = some(WebhookKeys.DELIVERY, after, limit);
        for (var entry : found) {
            visitor.accept(WebhookKeys.endpointOf(entry.key), WebhookCodecs.DELIVERY.decode(entry.value));
        }
        return found.size() < limit ? null : found.getLast().key;
    }

    private List<KeyValue<Bytes, byte[]>> some(char kind, Bytes after, int limit) {
        var some = new ArrayList<KeyValue<Bytes, byte[]>>();
        Bytes from = after == null ? WebhookKeys.first(kind) : StoreKeys.after(after);
        try (var entries = store.range(from, WebhookKeys.afterAll(kind))) {
            while (entries.hasNext() && some.size() < limit) {
                some.add(entries.next());
            }
        }
        return some;
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
        int count = 0;
        try (var found = store.range(WebhookKeys.bodiesFrom(fromMs), WebhookKeys.bodiesFrom(beforeMs))) {
            while (found.hasNext()) {
                var entry = found.next();
                long timeMs = WebhookKeys.timeOfBody(entry.key);
                if (count == limit) {
                    leftFromMs = timeMs;
                    break;
                }
                count++;
                byte[] owner = WebhookCodecs.BODY.decode(entry.value).owner();
                old.add(WebhookKeys.owned(WebhookKeys.tenantOf(entry.key), owner, timeMs,
                        WebhookKeys.idAtEndOf(entry.key)));
                old.add(entry.key);
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
