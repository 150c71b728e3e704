package dev.laurel.processors.store;

import dev.laurel.processors.store.MessageStore.TenantChannel;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.NotificationChannel;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The layout of keys in the store of messages: durable data. Each key begins with a letter for its kind. */
final class MessageKeys {

    private static final byte DELIVERY = 'd';
    private static final byte FIRST_MARK = 'm';
    private static final byte WITHDRAWN = 'w';
    private static final byte QUEUED = 'q';
    private static final byte EXPIRY = 'x';
    private static final byte OF_USER = 'u';

    /** The position of the tenant: behind the letter, the channel and the length. */
    private static final int TENANT_AT = 1 + 1 + 2;

    private MessageKeys() {}

    private static ByteBuffer ofDelivery(byte kind, UUID id, int moreBytes) {
        return StoreKeys.put(ByteBuffer.allocate(1 + StoreKeys.ID_BYTES + moreBytes).put(kind), id);
    }

    static Bytes delivery(UUID id) {
        return Bytes.wrap(ofDelivery(DELIVERY, id, 0).array());
    }

    /** The lowest key of any delivery. */
    static Bytes firstDelivery() {
        return StoreKeys.kind(DELIVERY);
    }

    /** Above the keys of all deliveries. */
    static Bytes afterDeliveries() {
        return StoreKeys.kind(DELIVERY + 1);
    }

    static Bytes firstMark(UUID delivery, int attempt) {
        return Bytes.wrap(ofDelivery(FIRST_MARK, delivery, 4).putInt(attempt).array());
    }

    /** The prefix of the first marks of a delivery. */
    static byte[] firstMarksOf(UUID delivery) {
        return ofDelivery(FIRST_MARK, delivery, 0).array();
    }

    static Bytes withdrawn(UUID delivery, int attempt, UUID life) {
        return Bytes.wrap(
                StoreKeys.put(ofDelivery(WITHDRAWN, delivery, 4 + StoreKeys.ID_BYTES).putInt(attempt), life).array());
    }

    /** The prefix of the withdrawn marks of a delivery. */
    static byte[] withdrawnOf(UUID delivery) {
        return ofDelivery(WITHDRAWN, delivery, 0).array();
    }

    // The queue.

    private static ByteBuffer ofChannel(TenantChannel channel, int moreBytes) {
        byte[] tenant = channel.tenant().value().getBytes(UTF_8);
        return ByteBuffer.allocate(TENANT_AT + tenant.length + moreBytes).put(QUEUED)
                .put((byte) channel.channel().ordinal()).putShort((short) tenant.length).put(tenant);
    }

    static Bytes firstQueued() {
        return StoreKeys.kind(QUEUED);
    }

    static Bytes afterAllQueued() {
        return StoreKeys.kind(QUEUED + 1);
    }

    static TenantChannel channelOf(Bytes queued) {
        var bytes = ByteBuffer.wrap(queued.get()).position(1);
        NotificationChannel channel = NotificationChannel.values()[bytes.get()];
        return new TenantChannel(new TenantId(StoreKeys.readText(bytes)), channel);
    }

    /** The due entries of one tenant and channel. */
    record Queue(TenantChannel channel) implements DueIndex.Layout {

        private static final byte[] PRESENT = {1};

        @Override
        public Bytes first() {
            return Bytes.wrap(ofChannel(channel, 0).array());
        }

        @Override
        public Bytes afterAll() {
            return StoreKeys.afterAllWith(ofChannel(channel, 0).array());
        }

        @Override
        public Bytes key(DueIndex.Entry entry) {
            return Bytes.wrap(StoreKeys
                    .put(ofChannel(channel, 8 + StoreKeys.ID_BYTES).putLong(StoreKeys.ordered(entry.dueMs())),
                            entry.delivery())
                    .array());
        }

        @Override
        public byte[] value(DueIndex.Entry entry) {
            return PRESENT;
        }

        @Override
        public DueIndex.Entry entry(Bytes key, byte[] value) {
            long dueMs = StoreKeys
                    .ordered(ByteBuffer.wrap(key.get()).getLong(key.get().length - StoreKeys.ID_BYTES - 8));
            return new DueIndex.Entry(dueMs, StoreKeys.idAtEndOf(key), false);
        }
    }

    // Expiry.

    static Bytes expiry(long atMs, UUID delivery) {
        return Bytes.wrap(StoreKeys
                .put(ByteBuffer.allocate(1 + 8 + StoreKeys.ID_BYTES).put(EXPIRY).putLong(StoreKeys.ordered(atMs)),
                        delivery)
                .array());
    }

    static Bytes firstExpiry() {
        return StoreKeys.kind(EXPIRY);
    }

    /** Above the keys of everything that expires by this time. */
    static Bytes expiriesAfter(long atMs) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 8).put(EXPIRY).putLong(StoreKeys.ordered(atMs + 1)).array());
    }

    // The log of a user.

    private static ByteBuffer ofUser(UserKey user, int moreBytes) {
        byte[] name = user.bytes();
        return ByteBuffer.allocate(1 + 2 + name.length + moreBytes).put(OF_USER).putShort((short) name.length)
                .put(name);
    }

    static Bytes ofUser(UserKey user, long createdMs, UUID delivery) {
        return Bytes.wrap(StoreKeys
                .put(ofUser(user, 8 + StoreKeys.ID_BYTES).putLong(StoreKeys.ordered(createdMs)), delivery).array());
    }

    static Bytes firstOf(UserKey user) {
        return Bytes.wrap(ofUser(user, 0).array());
    }

    static Bytes afterAllOf(UserKey user) {
        return StoreKeys.afterAllWith(ofUser(user, 0).array());
    }
}
