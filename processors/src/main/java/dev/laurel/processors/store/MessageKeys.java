package dev.laurel.processors.store;

import dev.laurel.processors.store.MessageStores.Lane;
import dev.laurel.processors.store.MessageStores.Place;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The layout of keys in the store of messages: durable data. A letter for the kind, then what the entries are sorted by. */
final class MessageKeys {

    private static final byte DELIVERY = 'd';
    private static final byte FIRST_MARK = 'm';
    private static final byte WITHDRAWN = 'w';
    private static final byte QUEUED = 'q';
    private static final byte EXPIRY = 'x';
    private static final byte OF_USER = 'u';

    private static final int ID_BYTES = 16;

    /** Behind the letter, the channel and the length of the tenant's name. */
    private static final int TENANT_AT = 1 + 1 + 2;

    private MessageKeys() {}

    private static ByteBuffer put(ByteBuffer key, UUID id) {
        return key.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static UUID id(ByteBuffer key) {
        return new UUID(key.getLong(), key.getLong());
    }

    /** The way there and back. */
    private static long ordered(long number) {
        return number ^ Long.MIN_VALUE;
    }

    private static ByteBuffer ofDelivery(byte kind, UUID id, int moreBytes) {
        return put(ByteBuffer.allocate(1 + ID_BYTES + moreBytes).put(kind), id);
    }

    static Bytes delivery(UUID id) {
        return Bytes.wrap(ofDelivery(DELIVERY, id, 0).array());
    }

    /** The lowest key of any delivery. */
    static Bytes firstDelivery() {
        return Bytes.wrap(new byte[]{DELIVERY});
    }

    /** Above the keys of all deliveries. */
    static Bytes afterDeliveries() {
        return Bytes.wrap(new byte[]{DELIVERY + 1});
    }

    static Bytes firstMark(UUID delivery, int attempt) {
        return Bytes.wrap(ofDelivery(FIRST_MARK, delivery, 4).putInt(attempt).array());
    }

    /** What begins like this is about the marks of a delivery: the first ones. */
    static byte[] firstMarksOf(UUID delivery) {
        return ofDelivery(FIRST_MARK, delivery, 0).array();
    }

    static Bytes withdrawn(UUID delivery, int attempt, UUID life) {
        return Bytes.wrap(put(ofDelivery(WITHDRAWN, delivery, 4 + ID_BYTES).putInt(attempt), life).array());
    }

    /** The same: those that were withdrawn. */
    static byte[] withdrawnOf(UUID delivery) {
        return ofDelivery(WITHDRAWN, delivery, 0).array();
    }

    // What waits.

    private static ByteBuffer ofLane(Lane lane, int moreBytes) {
        byte[] tenant = lane.tenant().value().getBytes(UTF_8);
        return ByteBuffer.allocate(TENANT_AT + tenant.length + moreBytes).put(QUEUED)
                .put((byte) lane.channel().ordinal()).putShort((short) tenant.length).put(tenant);
    }

    /** The lowest key of any lane. */
    static Bytes firstLane() {
        return Bytes.wrap(new byte[]{QUEUED});
    }

    /** Above the keys of all lanes. */
    static Bytes afterLanes() {
        return Bytes.wrap(new byte[]{QUEUED + 1});
    }

    /** The lowest key of a lane. */
    static Bytes firstOf(Lane lane) {
        return Bytes.wrap(ofLane(lane, 0).array());
    }

    /** Above the keys of a lane. */
    static Bytes afterLane(Lane lane) {
        return StoreKeys.afterAllWith(ofLane(lane, 0).array());
    }

    static Bytes queued(Place place) {
        return Bytes.wrap(put(ofLane(place.lane(), 8 + ID_BYTES).putLong(ordered(place.dueMs())), place.delivery())
                .array());
    }

    /** Reads a key of {@link #queued} back. */
    static Place place(Bytes key) {
        var bytes = ByteBuffer.wrap(key.get()).position(1);
        NotificationChannel channel = NotificationChannel.values()[bytes.get()];
        var tenant = new byte[bytes.getShort()];
        bytes.get(tenant);
        var lane = new Lane(new TenantId(new String(tenant, UTF_8)), channel);
        return new Place(lane, ordered(bytes.getLong()), id(bytes));
    }

    // What is to be forgotten when.

    static Bytes expiry(long atMs, UUID delivery) {
        return Bytes.wrap(put(ByteBuffer.allocate(1 + 8 + ID_BYTES).put(EXPIRY).putLong(ordered(atMs)), delivery)
                .array());
    }

    static Bytes firstExpiry() {
        return Bytes.wrap(new byte[]{EXPIRY});
    }

    /** Above the keys of all that expire by then. */
    static Bytes expiriesAfter(long atMs) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 8).put(EXPIRY).putLong(ordered(atMs + 1)).array());
    }

    /** The delivery at the end of a key. */
    static UUID deliveryOf(Bytes key) {
        byte[] bytes = key.get();
        return id(ByteBuffer.wrap(bytes).position(bytes.length - ID_BYTES));
    }

    // The log of a user.

    private static ByteBuffer ofUser(UserKey user, int moreBytes) {
        byte[] name = user.bytes();
        return ByteBuffer.allocate(1 + 2 + name.length + moreBytes).put(OF_USER).putShort((short) name.length)
                .put(name);
    }

    static Bytes ofUser(UserKey user, long createdMs, UUID delivery) {
        return Bytes.wrap(put(ofUser(user, 8 + ID_BYTES).putLong(ordered(createdMs)), delivery).array());
    }

    static Bytes firstOf(UserKey user) {
        return Bytes.wrap(ofUser(user, 0).array());
    }

    static Bytes afterAllOf(UserKey user) {
        return StoreKeys.afterAllWith(ofUser(user, 0).array());
    }
}
