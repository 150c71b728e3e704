package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The webhook deliveries of one partition, read and written by their task. One thread. It is one store with one changelog: after a
 * crash a first part of the writes is there, never a later write without an earlier one.
 */
public final class WebhookStore {

    private final KeyValueStore<Bytes, byte[]> store;

    public WebhookStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** RocksDB, with a changelog topic of its own. */
    public static StoreBuilder<?> builder() {
        return LedgerStores.builder(StoreNames.WEBHOOKS, false);
    }

    // Deliveries and bodies.

    /** Null if it is unknown or has expired. */
    public @Nullable WebhookDelivery delivery(Endpoint endpoint, UUID id) {
        return WebhookCodecs.DELIVERY.decode(store.get(WebhookKeys.delivery(endpoint, id)));
    }

    public void putDelivery(Endpoint endpoint, WebhookDelivery delivery) {
        store.put(WebhookKeys.delivery(endpoint, delivery.id()), WebhookCodecs.DELIVERY.encode(delivery));
    }

    /** Null if it has expired. */
    public byte @Nullable [] body(TenantId tenant, WebhookDelivery delivery) {
        WebhookCodecs.Body body = WebhookCodecs.BODY.decode(
                store.get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
        return body == null ? null : body.bytes();
    }

    /** Stores a body that is about nobody. @param timeMs when the event happened */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] body) {
        store.put(WebhookKeys.body(tenant, timeMs, source),
                WebhookCodecs.BODY.encode(new WebhookCodecs.Body(new byte[0], body)));
    }

    /** @param owner key in the outbox @param webhooks receivers of the body */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] owner, List<UUID> webhooks, byte[] body) {
        store.put(WebhookKeys.owned(tenant, owner, timeMs, source), WebhookCodecs.IDS.encode(webhooks));
        store.put(WebhookKeys.body(tenant, timeMs, source),
                WebhookCodecs.BODY.encode(new WebhookCodecs.Body(owner, body)));
    }

    /** An order to delete everything of a key until a time. @param owner key in the outbox */
    public record Erasure(TenantId tenant, byte[] owner, long untilMs) {}

    public void putErasure(Erasure erasure) {
        store.put(WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()),
                WebhookCodecs.BYTES.encode(erasure.owner()));
    }

    public void deleteErasure(Erasure erasure) {
        store.delete(WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()));
    }

    public @Nullable Erasure firstErasure() {
        return StoreScans.entries(store, WebhookKeys.first(WebhookKeys.ERASURE),
                WebhookKeys.afterAll(WebhookKeys.ERASURE), 1).stream()
                .map(entry -> new Erasure(WebhookKeys.tenantOfErasure(entry.key),
                        WebhookCodecs.BYTES.decode(entry.value), WebhookKeys.untilOf(entry.key)))
                .findFirst().orElse(null);
    }

    /**
     * Deletes deliveries and their bodies. Their positions in the queue stay, and lead nowhere.
     *
     * @param limit how many events at most
     * @return whether nothing is left
     */
    public boolean forget(Erasure erasure, int limit) {
        TenantId tenant = erasure.tenant();
        byte[] owner = erasure.owner();
        List<KeyValue<Bytes, byte[]>> found = StoreScans.entries(store, WebhookKeys.firstOwned(tenant, owner),
                WebhookKeys.ownedAfter(tenant, owner, erasure.untilMs()), limit);
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

    // The queue.

    /** The lanes of a webhook, whose first attempts go in order. */
    public EndpointLanes lanes(Endpoint endpoint) {
        return new EndpointLanes(store, endpoint);
    }

    /** The due entries of a webhook: retries, and attempts that operators asked for. */
    public DueIndex retries(Endpoint endpoint) {
        return new DueIndex(store, new WebhookKeys.Retries(endpoint));
    }

    /** The webhooks for which something waits. */
    public Set<Endpoint> awaited() {
        var endpoints = new LinkedHashSet<Endpoint>();
        addEndpoints(WebhookKeys.TURN, endpoints);
        addEndpoints(WebhookKeys.RETRY, endpoints);
        return endpoints;
    }

    /** The webhooks that have deliveries. */
    public Set<Endpoint> known() {
        var endpoints = new LinkedHashSet<Endpoint>();
        addEndpoints(WebhookKeys.DELIVERY, endpoints);
        return endpoints;
    }

    private void addEndpoints(char kind, Set<Endpoint> endpoints) {
        StoreScans.groups(store, WebhookKeys.first(kind), WebhookKeys.afterAll(kind), WebhookKeys::endpointOf,
                endpoint -> WebhookKeys.afterAll(kind, endpoint), endpoints::add);
    }

    // Everything that is stored, in steps.

    /** Receives lanes. */
    public interface LaneVisitor {

        void visit(Endpoint endpoint, byte[] lane);
    }

    /** Visits lanes, which may be changed meanwhile. @param after null: from the first @return the last; null if none is left */
    public @Nullable Bytes visitLanes(@Nullable Bytes after, int limit, LaneVisitor visitor) {
        return visit(WebhookKeys.LANE, after, limit, entry -> {
            Endpoint endpoint = WebhookKeys.endpointOf(entry.key);
            visitor.visit(endpoint, WebhookKeys.laneOf(entry.key, endpoint));
        });
    }

    /** Visits deliveries as {@link #visitLanes} does lanes. */
    public @Nullable Bytes visitDeliveries(@Nullable Bytes after, int limit,
            BiConsumer<Endpoint, WebhookDelivery> visitor) {
        return visit(WebhookKeys.DELIVERY, after, limit, entry -> visitor
                .accept(WebhookKeys.endpointOf(entry.key), WebhookCodecs.DELIVERY.decode(entry.value)));
    }

    private @Nullable Bytes visit(char kind, @Nullable Bytes after, int limit,
            Consumer<KeyValue<Bytes, byte[]>> visitor) {
        Bytes from = after == null ? WebhookKeys.first(kind) : StoreKeys.after(after);
        List<KeyValue<Bytes, byte[]>> found = StoreScans.entries(store, from, WebhookKeys.afterAll(kind), limit);
        found.forEach(visitor);
        return found.size() < limit ? null : found.getLast().key;
    }

    // Expiry.

    /**
     * Deletes bodies of events before a time.
     *
     * @param fromMs there are none before this time
     * @return the time from which on some are left, at most {@code beforeMs}
     */
    public long sweepBodies(long fromMs, long beforeMs, int limit) {
        List<KeyValue<Bytes, byte[]>> old = StoreScans.entries(store, WebhookKeys.bodiesFrom(fromMs),
                WebhookKeys.bodiesFrom(beforeMs), limit + 1);
        for (var body : old.subList(0, Math.min(limit, old.size()))) {
            byte[] owner = WebhookCodecs.BODY.decode(body.value).owner();
            store.delete(WebhookKeys.owned(WebhookKeys.tenantOf(body.key), owner, WebhookKeys.timeOfBody(body.key),
                    WebhookKeys.idAtEndOf(body.key)));
            store.delete(body.key);
        }
        return old.size() <= limit ? beforeMs : WebhookKeys.timeOfBody(old.getLast().key);
    }

    /** Deletes deliveries of one webhook as {@link #sweepBodies} does bodies. */
    public long sweepDeliveries(Endpoint endpoint, long fromMs, long beforeMs, int limit) {
        List<Bytes> old = StoreScans.keys(store, WebhookKeys.deliveriesFrom(endpoint, fromMs),
                WebhookKeys.deliveriesFrom(endpoint, beforeMs), limit + 1);
        old.stream().limit(limit).forEach(store::delete);
        return old.size() <= limit ? beforeMs : DeliveryIds.timeMs(WebhookKeys.idAtEndOf(old.getLast()));
    }

    /** A webhook of a tenant. It may have been deleted. */
    public record Endpoint(TenantId tenant, UUID webhook) {}
}
