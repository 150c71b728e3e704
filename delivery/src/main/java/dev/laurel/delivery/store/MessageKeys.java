package dev.laurel.delivery.store;

import dev.laurel.delivery.store.MessageStore.TenantChannel;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** The layout of keys of messages, in the store of deliveries: durable data. Each key begins with a letter for its kind. */
final class MessageKeys {

    private static final char DELIVERY = 'D';
    private static final char FIRST_MARK = 'm';
    private static final char WITHDRAWN = 'v';
    private static final char QUEUED = 's';
    private static final char EXPIRY = 'x';
    private static final char OF_USER = 'o';

    private MessageKeys() {}

    static Bytes delivery(UUID id) {
        return KeyWriter.ofKind(DELIVERY).id(id).toKey();
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
        return KeyWriter.ofKind(FIRST_MARK).id(delivery).number(attempt).toKey();
    }

    /** The prefix of the first marks of a delivery. */
    static byte[] firstMarksOf(UUID delivery) {
        return KeyWriter.ofKind(FIRST_MARK).id(delivery).toBytes();
    }

    static Bytes withdrawn(UUID delivery, int attempt, UUID life) {
        return KeyWriter.ofKind(WITHDRAWN).id(delivery).number(attempt).id(life).toKey();
    }

    /** The prefix of the withdrawn marks of a delivery. */
    static byte[] withdrawnOf(UUID delivery) {
        return KeyWriter.ofKind(WITHDRAWN).id(delivery).toBytes();
    }

    // The queue.

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

    /** The beginning of the keys of the due entries of one tenant and channel. */
    static byte[] queue(TenantChannel channel) {
        return KeyWriter.ofKind(QUEUED).letter(channel.channel().ordinal()).tenant(channel.tenant()).toBytes();
    }

    // Expiry.

    static Bytes expiry(long atMs, UUID delivery) {
        return KeyWriter.ofKind(EXPIRY).ordered(atMs).id(delivery).toKey();
    }

    static Bytes firstExpiry() {
        return StoreKeys.kind(EXPIRY);
    }

    /** Above the keys of everything that expires by this time. */
    static Bytes expiriesAfter(long atMs) {
        return KeyWriter.ofKind(EXPIRY).ordered(atMs + 1).toKey();
    }

    // The log of a user.

    static Bytes ofUser(UserKey user, long createdMs, UUID delivery) {
        return KeyWriter.ofKind(OF_USER).text(user.bytes()).ordered(createdMs).id(delivery).toKey();
    }

    static Bytes firstOf(UserKey user) {
        return KeyWriter.ofKind(OF_USER).text(user.bytes()).toKey();
    }

    static Bytes afterAllOf(UserKey user) {
        return StoreKeys.afterAllWith(firstOf(user).get());
    }
}
