package dev.laurel.delivery.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.DeliveryIds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

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

    private static KeyWriter ofKind(char kind, Endpoint endpoint) {
        return KeyWriter.ofKind(kind).tenant(endpoint.tenant()).id(endpoint.webhook());
    }

    static Endpoint endpointOf(Bytes key) {
        ByteBuffer buffer = ByteBuffer.wrap(key.get()).position(1);
        return new Endpoint(new TenantId(StoreKeys.readText(buffer)), StoreKeys.readId(buffer));
    }

    static Bytes afterAll(char kind, Endpoint endpoint) {
        return StoreKeys.afterAllWith(ofKind(kind, endpoint).toBytes());
    }

    // Deliveries and bodies.

    static Bytes delivery(Endpoint endpoint, UUID id) {
        return ofKind(DELIVERY, endpoint).number(DeliveryIds.timeMs(id)).id(id).toKey();
    }

    static Bytes deliveriesFrom(Endpoint endpoint, long timeMs) {
        return ofKind(DELIVERY, endpoint).number(timeMs).toKey();
    }

    static Bytes body(TenantId tenant, long timeMs, UUID source) {
        return KeyWriter.ofKind(BODY)
                .number(timeMs)
                .bytes(tenant.value().getBytes(UTF_8))
                .id(source)
                .toKey();
    }

    static Bytes bodiesFrom(long timeMs) {
        return KeyWriter.ofKind(BODY).number(timeMs).toKey();
    }

    static long timeOfBody(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    /** The tenant in the key of a body. */
    static TenantId tenantOf(Bytes body) {
        byte[] bytes = body.get();
        return new TenantId(new String(bytes, 1 + 8, bytes.length - 1 - 8 - StoreKeys.ID_BYTES, UTF_8));
    }

    private static KeyWriter ofOwner(char kind, TenantId tenant, byte[] owner) {
        return KeyWriter.ofKind(kind).tenant(tenant).text(owner);
    }

    static Bytes owned(TenantId tenant, byte[] owner, long timeMs, UUID source) {
        return ofOwner(OWNED, tenant, owner).number(timeMs).id(source).toKey();
    }

    static Bytes firstOwned(TenantId tenant, byte[] owner) {
        return ofOwner(OWNED, tenant, owner).toKey();
    }

    /** Above the keys of everything that happened up to this time. */
    static Bytes ownedAfter(TenantId tenant, byte[] owner, long timeMs) {
        return ofOwner(OWNED, tenant, owner).number(timeMs + 1).toKey();
    }

    static Bytes erasure(TenantId tenant, byte[] owner, long untilMs) {
        return ofOwner(ERASURE, tenant, owner).number(untilMs).toKey();
    }

    static TenantId tenantOfErasure(Bytes erasure) {
        return new TenantId(StoreKeys.readText(ByteBuffer.wrap(erasure.get()).position(1)));
    }

    // The queue.

    static Bytes lane(Endpoint endpoint, byte[] lane) {
        return ofKind(LANE, endpoint).bytes(lane).toKey();
    }

    static byte[] laneOf(Bytes lane, Endpoint endpoint) {
        return Arrays.copyOfRange(lane.get(), ofKind(LANE, endpoint).toBytes().length, lane.get().length);
    }

    static Bytes waiting(Endpoint endpoint, byte[] lane, long number) {
        return ofKind(WAITING, endpoint).text(lane).number(number).toKey();
    }

    static Bytes turn(Endpoint endpoint, long number) {
        return ofKind(TURN, endpoint).number(number).toKey();
    }

    /** The number of a turn or of a waiting delivery, or the time of an erasure. */
    static long numberAtEndOf(Bytes key) {
        byte[] bytes = key.get();
        return ByteBuffer.wrap(bytes).getLong(bytes.length - 8);
    }

    /** The beginning of the keys of a webhook's due entries. */
    static byte[] retries(Endpoint endpoint) {
        return ofKind(RETRY, endpoint).toBytes();
    }
}
