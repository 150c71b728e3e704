package dev.laurel.processors.store;

import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys in the store of webhooks: durable data. Each key begins with a letter for its kind. Texts have their length
 * before them if something follows; numbers are big-endian and never negative, so that their order is the order of the bytes. A
 * key is always longer than the prefix of its kind, so the end of a scan, which is inclusive, is never a key.
 *
 * <pre>
 * endpoint = tenant, id of the webhook
 * d endpoint time id         a delivery, by the time in its id
 * b time tenant source       a body, once for all webhooks
 * u tenant key time source   the webhooks of a body, by the key in the outbox, which may be a user's
 * e tenant key time          an erasure: everything of the key up to this time is to be deleted
 * l endpoint lane            a lane, while something waits in it
 * q endpoint lane number     a delivery behind the first of its lane
 * t endpoint number          a turn: the lane that is served at this number
 * r endpoint time id         a delivery that is due at this time
 * </pre>
 */
final class WebhookKeys {

    static final char DELIVERY = 'd';
    static final char LANE = 'l';
    static final char WAITING = 'q';
    static final char TURN = 't';
    static final char RETRY = 'r';
    static final char ERASURE = 'e';
    private static final char BODY = 'b';
    private static final char OWNED = 'u';

    private WebhookKeys() {}

    // Deliveries and bodies.

    static Bytes delivery(Endpoint endpoint, UUID id) {
        return wrap(
                StoreKeys.put(ofKind(DELIVERY, endpoint, 8 + StoreKeys.ID_BYTES).putLong(DeliveryIds.timeMs(id)), id));
    }

    static Bytes deliveriesFrom(Endpoint endpoint, long timeMs) {
        return wrap(ofKind(DELIVERY, endpoint, 8).putLong(timeMs));
    }

    static Bytes body(TenantId tenant, long timeMs, UUID source) {
        byte[] name = tenant.value().getBytes(UTF_8);
        return wrap(StoreKeys.put(
                ByteBuffer.allocate(1 + 8 + name.length + StoreKeys.ID_BYTES).put((byte) BODY).putLong(timeMs)
                        .put(name),
                source));
    }

    static Bytes bodiesFrom(long timeMs) {
        return wrap(ByteBuffer.allocate(1 + 8).put((byte) BODY).putLong(timeMs));
    }

    static long timeOfBody(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    /** The tenant in the key of a body. */
    static TenantId tenantOf(Bytes body) {
        byte[] bytes = body.get();
        return new TenantId(new String(bytes, 1 + 8, bytes.length - 1 - 8 - StoreKeys.ID_BYTES, UTF_8));
    }

    static Bytes owned(TenantId tenant, byte[] owner, long timeMs, UUID source) {
        return wrap(StoreKeys.put(ownedBy(tenant, owner, 8 + StoreKeys.ID_BYTES).putLong(timeMs), source));
    }

    static Bytes firstOwned(TenantId tenant, byte[] owner) {
        return wrap(ownedBy(tenant, owner, 0));
    }

    /** Above the keys of everything that happened up to this time. */
    static Bytes ownedAfter(TenantId tenant, byte[] owner, long timeMs) {
        return wrap(ownedBy(tenant, owner, 8).putLong(timeMs + 1));
    }

    /** The time before the id at the end of a key. */
    static long timeBeforeIdOf(Bytes key) {
        byte[] bytes = key.get();
        return ByteBuffer.wrap(bytes).getLong(bytes.length - StoreKeys.ID_BYTES - 8);
    }

    static Bytes erasure(TenantId tenant, byte[] owner, long untilMs) {
        return wrap(ofOwner(ERASURE, tenant, owner, 8).putLong(untilMs));
    }

    static TenantId tenantOfErasure(Bytes erasure) {
        return new TenantId(StoreKeys.readText(ByteBuffer.wrap(erasure.get()).position(1)));
    }

    private static ByteBuffer ownedBy(TenantId tenant, byte[] owner, int moreBytes) {
        return ofOwner(OWNED, tenant, owner, moreBytes);
    }

    private static ByteBuffer ofOwner(char kind, TenantId tenant, byte[] owner, int moreBytes) {
        byte[] name = tenant.value().getBytes(UTF_8);
        return ByteBuffer.allocate(1 + 2 + name.length + 2 + owner.length + moreBytes).put((byte) kind)
                .putShort((short) name.length).put(name).putShort((short) owner.length).put(owner);
    }

    // The queue.

    static Bytes lane(Endpoint endpoint, byte[] lane) {
        return wrap(ofKind(LANE, endpoint, lane.length).put(lane));
    }

    static byte[] laneOf(Bytes lane, Endpoint endpoint) {
        return Arrays.copyOfRange(lane.get(), ofKind(LANE, endpoint, 0).capacity(), lane.get().length);
    }

    static Bytes waiting(Endpoint endpoint, byte[] lane, long number) {
        return wrap(ofKind(WAITING, endpoint, 2 + lane.length + 8).putShort((short) lane.length).put(lane)
                .putLong(number));
    }

    static Bytes turn(Endpoint endpoint, long number) {
        return wrap(ofKind(TURN, endpoint, 8).putLong(number));
    }

    /** The number of a turn or of a waiting delivery, or the time of an erasure. */
    static long numberAtEndOf(Bytes key) {
        byte[] bytes = key.get();
        return ByteBuffer.wrap(bytes).getLong(bytes.length - 8);
    }

    static Bytes retry(Endpoint endpoint, long dueMs, UUID id) {
        return wrap(StoreKeys.put(ofKind(RETRY, endpoint, 8 + StoreKeys.ID_BYTES).putLong(dueMs), id));
    }

    /** The due entries of one webhook. */
    record Retries(Endpoint endpoint) implements DueIndex.Layout {

        @Override
        public Bytes first() {
            return WebhookKeys.first(RETRY, endpoint);
        }

        @Override
        public Bytes afterAll() {
            return WebhookKeys.afterAll(RETRY, endpoint);
        }

        @Override
        public Bytes key(DueIndex.Entry entry) {
            return retry(endpoint, entry.dueMs(), entry.delivery());
        }

        @Override
        public byte[] value(DueIndex.Entry entry) {
            return WebhookCodecs.FLAG.encode(entry.isAsked());
        }

        @Override
        public DueIndex.Entry entry(Bytes key, byte[] value) {
            return new DueIndex.Entry(timeBeforeIdOf(key), StoreKeys.idAtEndOf(key), WebhookCodecs.FLAG.decode(value));
        }
    }

    /** The lowest key of a kind. */
    static Bytes first(char kind) {
        return StoreKeys.kind(kind);
    }

    static Bytes afterAll(char kind) {
        return StoreKeys.kind(kind + 1);
    }

    static Bytes first(char kind, Endpoint endpoint) {
        return wrap(ofKind(kind, endpoint, 0));
    }

    static Bytes afterAll(char kind, Endpoint endpoint) {
        return StoreKeys.afterAllWith(ofKind(kind, endpoint, 0).array());
    }

    static Endpoint endpointOf(Bytes key) {
        ByteBuffer buffer = ByteBuffer.wrap(key.get()).position(1);
        return new Endpoint(new TenantId(StoreKeys.readText(buffer)), StoreKeys.readId(buffer));
    }

    private static ByteBuffer ofKind(char kind, Endpoint endpoint, int moreBytes) {
        byte[] tenant = endpoint.tenant().value().getBytes(UTF_8);
        return StoreKeys
                .put(ByteBuffer.allocate(1 + 2 + tenant.length + StoreKeys.ID_BYTES + moreBytes).put((byte) kind)
                        .putShort((short) tenant.length).put(tenant), endpoint.webhook());
    }

    private static Bytes wrap(ByteBuffer full) {
        return Bytes.wrap(full.array());
    }
}
