package dev.laurel.delivery.store;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.FirstMark;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.delivery.store.DueIndex.Entry;
import dev.laurel.delivery.store.MessageStore.TenantChannel;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition, the queue of those that wait, and the first marks of their attempts. Part of the store of the
 * partition's deliveries, read and written by its task. One thread.
 *
 * <p>A crash may lose the last writes, so their order matters: an entry that leads to a delivery is written before the delivery and
 * deleted after it. An entry of the queue may therefore be left over; the delivery shows that.
 */
public final class MessageStore {

    static final Codec<MessageDelivery> DELIVERY = Codec.of("message", 2, MessageDelivery.class);

    /** The life of a task, in a mark. */
    static final Codec<UUID> LIFE = Codec.of("mark", 1, UUID.class);

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /**
     * The key at which scans for expired deliveries start, because no expiry is below it; null: unknown. A scan from the beginning
     * would step over everything that was deleted before.
     */
    private @Nullable Bytes firstExpiry;

    /** A group of the queue: messages of other groups do not wait for it. */
    public record TenantChannel(TenantId tenant, NotificationChannel channel) {

        public static TenantChannel of(MessageDelivery delivery) {
            return new TenantChannel(delivery.user().tenant(), delivery.copy().channel());
        }
    }

    /** @param store {@link StoreNames#DELIVERIES} */
    public MessageStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    // Deliveries.

    public @Nullable MessageDelivery delivery(UUID id) {
        return DELIVERY.decodeIfPresent(store.get(MessageKeys.delivery(id)));
    }

    /** Writes a new delivery, or a known one again. */
    public void add(MessageDelivery delivery) {
        store.put(MessageKeys.expiry(delivery.expiresMs(), delivery.id()), PRESENT);
        store.put(MessageKeys.ofUser(delivery.user(), delivery.createdMs(), delivery.id()), PRESENT);
        change(null, delivery);
    }

    /** @param before null for a new delivery */
    public void change(@Nullable MessageDelivery before, MessageDelivery after) {
        Entry from = entryOf(before);
        Entry to = entryOf(after);
        DueIndex queue = queue(TenantChannel.of(after));
        if (to != null && !to.equals(from)) {
            queue.put(to);
        }
        store.put(MessageKeys.delivery(after.id()), DELIVERY.encode(after));
        if (from != null && !from.equals(to)) {
            queue.delete(from);
        }
    }

    /** The entry of the queue by which a delivery waits; null if it does not wait. */
    public static @Nullable Entry entryOf(@Nullable MessageDelivery delivery) {
        return delivery != null && delivery.state() instanceof Waiting waiting
                ? new Entry(waiting.dueMs(), delivery.id(), false)
                : null;
    }

    /** All deliveries of a user. */
    public List<MessageDelivery> deliveriesOf(UserKey user) {
        return newest(store, user, Integer.MAX_VALUE);
    }

    /** The messages of a user, newest first. Any thread, if the store allows it. */
    public static List<MessageDelivery> newest(ReadOnlyKeyValueStore<Bytes, byte[]> store, UserKey user, int limit) {
        var found = new ArrayList<MessageDelivery>();
        try (KeyValueIterator<Bytes, byte[]> entries =
                store.reverseRange(MessageKeys.firstOf(user), MessageKeys.afterAllOf(user))) {
            while (entries.hasNext() && found.size() < limit) {
                byte[] delivery = store.get(MessageKeys.delivery(StoreKeys.idAtEndOf(entries.next().key)));
                // Null if it has expired since the scan began.
                if (delivery != null) {
                    found.add(DELIVERY.decode(delivery));
                }
            }
        }
        return found;
    }

    /** Deletes a delivery. Its marks, which do not name the user, stay until they expire. */
    public void forget(MessageDelivery delivery) {
        store.delete(MessageKeys.delivery(delivery.id()));
        store.delete(MessageKeys.ofUser(delivery.user(), delivery.createdMs(), delivery.id()));
        Entry entry = entryOf(delivery);
        if (entry != null) {
            queue(TenantChannel.of(delivery)).delete(entry);
        }
    }

    // The queue.

    /** The due entries of one tenant and channel. */
    public DueIndex queue(TenantChannel channel) {
        return new DueIndex(store, MessageKeys.queue(channel));
    }

    /** The channels that have waiting deliveries. */
    public Set<TenantChannel> awaited() {
        var channels = new LinkedHashSet<TenantChannel>();
        StoreScans.groups(
                store,
                StoreKeys.kind(MessageKeys.QUEUED),
                StoreKeys.kind(MessageKeys.QUEUED + 1),
                MessageKeys::channelOf,
                channel -> StoreKeys.afterAllWith(MessageKeys.queue(channel)),
                channels::add);
        return channels;
    }

    /**
     * Puts waiting deliveries that have no entry back into the queue. A replaced task that does not know of its replacement writes to
     * the same changelog, so a restored store may contain the delivery as one task wrote it, and the queue as the other did.
     *
     * @param after key of the last delivery of the previous step; null: from the first
     * @param requeued receives each delivery that was put back
     * @return key of the last delivery; null if none is left
     */
    public @Nullable Bytes requeue(@Nullable Bytes after, int limit, Consumer<MessageDelivery> requeued) {
        return WebhookStore.visit(store, MessageKeys.DELIVERY, after, limit, stored -> {
            MessageDelivery delivery = DELIVERY.decode(stored.value);
            Entry entry = entryOf(delivery);
            DueIndex queue = queue(TenantChannel.of(delivery));
            if (entry != null && !queue.contains(entry)) {
                queue.put(entry);
                requeued.accept(delivery);
            }
        });
    }

    // Marks.

    /** The first mark of an attempt; null if no mark was read. */
    public @Nullable FirstMark firstMark(UUID delivery, int attempt) {
        UUID life = LIFE.decodeIfPresent(store.get(MessageKeys.firstMark(delivery, attempt)));
        return life == null ? null : new FirstMark(life, isWithdrawn(delivery, attempt, life));
    }

    /** Whether a life has withdrawn its mark of an attempt. */
    public boolean isWithdrawn(UUID delivery, int attempt, UUID life) {
        return store.get(MessageKeys.withdrawn(delivery, attempt, life)) != null;
    }

    /**
     * Stores the first mark of an attempt. It is the same for every reader of the topic, so late writes of a replaced task do no
     * harm.
     *
     * @param expiresMs the time from which it may be deleted
     */
    public void putFirstMark(UUID delivery, int attempt, UUID life, long expiresMs) {
        // The marks of a known delivery are deleted with it.
        if (store.get(MessageKeys.delivery(delivery)) == null) {
            store.put(MessageKeys.expiry(expiresMs, delivery), PRESENT);
        }
        store.put(MessageKeys.firstMark(delivery, attempt), LIFE.encode(life));
    }

    /** Stores that a life never makes this attempt. */
    public void putWithdrawn(UUID delivery, int attempt, UUID life) {
        store.put(MessageKeys.withdrawn(delivery, attempt, life), PRESENT);
    }

    // Expiry.

    /** Deletes what has expired. @param limit the largest number of deliveries */
    public void sweep(long nowMs, int limit) {
        Bytes end = MessageKeys.expiriesAfter(nowMs);
        Bytes start = firstExpiry == null ? StoreKeys.kind(MessageKeys.EXPIRY) : firstExpiry;
        if (start.compareTo(end) >= 0) {
            return;
        }
        List<Bytes> expired = StoreScans.keys(store, start, end, limit);
        for (Bytes expiry : expired) {
            expire(StoreKeys.idAtEndOf(expiry), nowMs);
            store.delete(expiry);
        }
        firstExpiry = expired.size() < limit ? end : expired.getLast();
    }

    private void expire(UUID id, long nowMs) {
        MessageDelivery delivery = delivery(id);
        if (delivery != null && delivery.expiresMs() > nowMs) {
            return; // the expired entry is of a mark that was read before the delivery
        }
        if (delivery != null) {
            forget(delivery);
        }
        keysWith(MessageKeys.firstMarksOf(id)).forEach(store::delete);
        keysWith(MessageKeys.withdrawnOf(id)).forEach(store::delete);
    }

    private List<Bytes> keysWith(byte[] prefix) {
        return StoreScans.keys(store, Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()), StoreScans.ALL);
    }

    /** The layout of keys of messages, in the store of deliveries: durable data. Each key begins with a letter for its kind. */
    static final class MessageKeys {

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

        static Bytes firstMark(UUID delivery, int attempt) {
            return KeyWriter.ofKind(FIRST_MARK).id(delivery).number(attempt).toKey();
        }

        /** The prefix of the first marks of a delivery. */
        static byte[] firstMarksOf(UUID delivery) {
            return KeyWriter.ofKind(FIRST_MARK).id(delivery).toBytes();
        }

        static Bytes withdrawn(UUID delivery, int attempt, UUID life) {
            return KeyWriter.ofKind(WITHDRAWN)
                    .id(delivery)
                    .number(attempt)
                    .id(life)
                    .toKey();
        }

        /** The prefix of the withdrawn marks of a delivery. */
        static byte[] withdrawnOf(UUID delivery) {
            return KeyWriter.ofKind(WITHDRAWN).id(delivery).toBytes();
        }

        // The queue.

        static TenantChannel channelOf(Bytes queued) {
            var bytes = ByteBuffer.wrap(queued.get()).position(1);
            NotificationChannel channel = NotificationChannel.values()[bytes.get()];
            return new TenantChannel(new TenantId(StoreKeys.readText(bytes)), channel);
        }

        /** The beginning of the keys of the due entries of one tenant and channel. */
        static byte[] queue(TenantChannel channel) {
            return KeyWriter.ofKind(QUEUED)
                    .letter(channel.channel().ordinal())
                    .tenant(channel.tenant())
                    .toBytes();
        }

        // Expiry.

        static Bytes expiry(long atMs, UUID delivery) {
            return KeyWriter.ofKind(EXPIRY).ordered(atMs).id(delivery).toKey();
        }

        /** Above the keys of everything that expires by this time. */
        static Bytes expiriesAfter(long atMs) {
            return KeyWriter.ofKind(EXPIRY).ordered(atMs + 1).toKey();
        }

        // The log of a user.

        static Bytes ofUser(UserKey user, long createdMs, UUID delivery) {
            return KeyWriter.ofKind(OF_USER)
                    .text(user.bytes())
                    .ordered(createdMs)
                    .id(delivery)
                    .toKey();
        }

        static Bytes firstOf(UserKey user) {
            return KeyWriter.ofKind(OF_USER).text(user.bytes()).toKey();
        }

        static Bytes afterAllOf(UserKey user) {
            return StoreKeys.afterAllWith(firstOf(user).get());
        }
    }
}
