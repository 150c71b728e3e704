package dev.laurel.delivery.store;

import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
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
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The webhook deliveries of one partition. Part of the store of the partition's deliveries, read and written by its task. One thread. A
 * crash may lose the last writes, but never an earlier write without the later ones.
 */
public record WebhookStore(KeyValueStore<Bytes, byte[]> store) {

    static final Codec<WebhookDelivery> DELIVERY = Codec.of("delivery", 2, WebhookDelivery.class);
    static final Codec<Body> BODY = Codec.of("body", 1, Body.class);
    static final Codec<List<UUID>> IDS = Codec.ofList("ids of webhooks", 1, UUID.class);
    static final Codec<byte[]> OWNER = Codec.of("key in the outbox", 1, byte[].class);

    /** A body. @param owner key in the outbox of the user or leaderboard that it is about; empty if there is none */
    record Body(byte[] owner, byte[] bytes) {}

    // Deliveries and bodies.

    /** Null if the delivery is unknown or has expired. */
    public @Nullable WebhookDelivery delivery(Endpoint endpoint, UUID id) {
        return DELIVERY.decodeIfPresent(store.get(WebhookKeys.delivery(endpoint, id)));
    }

    public void putDelivery(Endpoint endpoint, WebhookDelivery delivery) {
        store.put(WebhookKeys.delivery(endpoint, delivery.id()), DELIVERY.encode(delivery));
    }

    /** The body of a delivery, JSON; null if it has expired. */
    public byte @Nullable [] body(TenantId tenant, WebhookDelivery delivery) {
        return body(store, tenant, delivery);
    }

    static byte @Nullable [] body(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, TenantId tenant, WebhookDelivery delivery) {
        Body body = BODY.decodeIfPresent(
                store.get(WebhookKeys.body(tenant, delivery.created().toEpochMilli(), delivery.source())));
        return body == null ? null : body.bytes();
    }

    /** Stores a body that belongs to no user or leaderboard. @param timeMs when the event happened */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] body) {
        store.put(WebhookKeys.body(tenant, timeMs, source), BODY.encode(new Body(new byte[0], body)));
    }

    /** Stores a body of a user or a leaderboard. @param owner key in the outbox @param webhooks receivers of the body */
    public void putBody(TenantId tenant, long timeMs, UUID source, byte[] owner, List<UUID> webhooks, byte[] body) {
        store.put(WebhookKeys.owned(tenant, owner, timeMs, source), IDS.encode(webhooks));
        store.put(WebhookKeys.body(tenant, timeMs, source), BODY.encode(new Body(owner, body)));
    }

    /** An order to delete everything of a key up to a time. @param owner key in the outbox */
    public record Erasure(TenantId tenant, byte[] owner, long untilMs) {}

    public void putErasure(Erasure erasure) {
        store.put(
                WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()),
                OWNER.encode(erasure.owner()));
    }

    public void deleteErasure(Erasure erasure) {
        store.delete(WebhookKeys.erasure(erasure.tenant(), erasure.owner(), erasure.untilMs()));
    }

    /** The next erasure to be done; null if there is none. */
    public @Nullable Erasure firstErasure() {
        return StoreScans.read(
                        store,
                        StoreKeys.kind(WebhookKeys.ERASURE),
                        StoreKeys.kind(WebhookKeys.ERASURE + 1),
                        1,
                        entry -> new Erasure(
                                WebhookKeys.tenantOfErasure(entry.key),
                                OWNER.decode(entry.value),
                                WebhookKeys.numberAtEndOf(entry.key)))
                .stream()
                .findFirst()
                .orElse(null);
    }

    /**
     * Deletes deliveries and their bodies. Their positions in the queue stay, and are skipped.
     *
     * @param limit the largest number of events
     * @return whether nothing is left
     */
    public boolean forget(Erasure erasure, int limit) {
        TenantId tenant = erasure.tenant();
        byte[] owner = erasure.owner();
        var found = StoreScans.entries(
                store,
                WebhookKeys.firstOwned(tenant, owner),
                WebhookKeys.ownedAfter(tenant, owner, erasure.untilMs()),
                limit);
        for (var entry : found) {
            long timeMs = StoreKeys.numberBeforeIdOf(entry.key);
            UUID source = StoreKeys.idAtEndOf(entry.key);
            for (UUID webhook : IDS.decode(entry.value)) {
                UUID id = DeliveryIds.of(owner, Instant.ofEpochMilli(timeMs), source, webhook);
                store.delete(WebhookKeys.delivery(new Endpoint(tenant, webhook), id));
            }
            store.delete(WebhookKeys.body(tenant, timeMs, source));
            store.delete(entry.key);
        }
        return found.size() < limit;
    }

    // The queue.

    /** The lanes of a webhook, in which first attempts wait in order. */
    public EndpointLanes lanes(Endpoint endpoint) {
        return new EndpointLanes(store, endpoint);
    }

    /** The due entries of a webhook: retries, and attempts that operators asked for. */
    public DueIndex retries(Endpoint endpoint) {
        return new DueIndex(store, WebhookKeys.retries(endpoint));
    }

    /** The webhooks that have waiting deliveries. */
    public Set<Endpoint> awaited() {
        Set<Endpoint> endpoints = endpointsWith(WebhookKeys.TURN);
        endpoints.addAll(endpointsWith(WebhookKeys.RETRY));
        return endpoints;
    }

    /** The webhooks that have deliveries. */
    public Set<Endpoint> known() {
        return endpointsWith(WebhookKeys.DELIVERY);
    }

    private Set<Endpoint> endpointsWith(char kind) {
        var endpoints = new LinkedHashSet<Endpoint>();
        StoreScans.groups(
                store,
                StoreKeys.kind(kind),
                StoreKeys.kind(kind + 1),
                WebhookKeys::endpointOf,
                endpoint -> WebhookKeys.afterAll(kind, endpoint),
                endpoints::add);
        return endpoints;
    }

    // Everything that is stored, in steps.

    /**
     * Passes lanes to a visitor, which may change them.
     *
     * @param after key of the last lane of the previous step; null: from the first
     * @return key of the last lane; null if none is left
     */
    public @Nullable Bytes visitLanes(@Nullable Bytes after, int limit, BiConsumer<Endpoint, byte[]> visitor) {
        return visit(store, WebhookKeys.LANE, after, limit, entry -> {
            Endpoint endpoint = WebhookKeys.endpointOf(entry.key);
            visitor.accept(endpoint, WebhookKeys.laneOf(entry.key, endpoint));
        });
    }

    /** Passes deliveries to a visitor, as {@link #visitLanes} does lanes. */
    public @Nullable Bytes visitDeliveries(
            @Nullable Bytes after, int limit, BiConsumer<Endpoint, WebhookDelivery> visitor) {
        return visit(
                store,
                WebhookKeys.DELIVERY,
                after,
                limit,
                entry -> visitor.accept(WebhookKeys.endpointOf(entry.key), DELIVERY.decode(entry.value)));
    }

    /** Visits the entries of a kind as {@link #visitLanes} does lanes. */
    static @Nullable Bytes visit(
            KeyValueStore<Bytes, byte[]> store,
            char kind,
            @Nullable Bytes after,
            int limit,
            Consumer<KeyValue<Bytes, byte[]>> visitor) {
        Bytes from = after == null ? StoreKeys.kind(kind) : StoreKeys.after(after);
        var found = StoreScans.entries(store, from, StoreKeys.kind(kind + 1), limit);
        found.forEach(visitor);
        return found.size() < limit ? null : found.getLast().key;
    }

    // Expiry.

    /**
     * Deletes bodies of events before a time.
     *
     * @param fromMs a time before which there are none
     * @return a time before which none are left, at most {@code beforeMs}
     */
    public long sweepBodies(long fromMs, long beforeMs, int limit) {
        var old =
                StoreScans.entries(store, WebhookKeys.bodiesFrom(fromMs), WebhookKeys.bodiesFrom(beforeMs), limit + 1);
        for (var body : old.subList(0, Math.min(limit, old.size()))) {
            byte[] owner = BODY.decode(body.value).owner();
            store.delete(WebhookKeys.owned(
                    WebhookKeys.tenantOf(body.key),
                    owner,
                    WebhookKeys.timeOfBody(body.key),
                    StoreKeys.idAtEndOf(body.key)));
            store.delete(body.key);
        }
        return old.size() <= limit ? beforeMs : WebhookKeys.timeOfBody(old.getLast().key);
    }

    /** Deletes deliveries of one webhook as {@link #sweepBodies} does bodies. */
    public long sweepDeliveries(Endpoint endpoint, long fromMs, long beforeMs, int limit) {
        List<Bytes> old = StoreScans.keys(
                store,
                WebhookKeys.deliveriesFrom(endpoint, fromMs),
                WebhookKeys.deliveriesFrom(endpoint, beforeMs),
                limit + 1);
        old.stream().limit(limit).forEach(store::delete);
        return old.size() <= limit ? beforeMs : DeliveryIds.timeMs(StoreKeys.idAtEndOf(old.getLast()));
    }
}
