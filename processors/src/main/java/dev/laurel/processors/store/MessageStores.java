package dev.laurel.processors.store;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.core.sending.Delivery.FirstMark;
import dev.laurel.processors.core.sending.Delivery.Waiting;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The messages of one partition: what waits, in the order of its time; what came of the others; which marks were first. Read
 * and written by their task. One thread.
 *
 * <p>What is written survives a crash up to some moment, so the order counts: what finds a delivery is written before it, and
 * deleted after it. A place in the queue may thus be left over; whoever comes to it sees that by the delivery.
 */
public final class MessageStores {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /**
     * Nothing is left that expires before this key; null if that is not known. A scan from the beginning would step over
     * all that was deleted there before.
     */
    private Bytes firstExpiry;

    /** What waits together, and does not wait for others. */
    public record Lane(TenantId tenant, NotificationChannel channel) {}

    /** In a lane. */
    public record Place(Lane lane, long dueMs, UUID delivery) {

        /** Of a delivery that waits. */
        public static Place of(Delivery delivery, Waiting waiting) {
            return new Place(new Lane(delivery.user().tenant(), delivery.copy().channel()), waiting.dueMs(),
                    delivery.id());
        }

        /** The order of a lane. */
        public boolean isBefore(Place other) {
            return MessageKeys.queued(this).compareTo(MessageKeys.queued(other)) < 0;
        }
    }

    /** @param store {@link StoreNames#MESSAGES} */
    public MessageStores(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** RocksDB, with a changelog topic. Nothing is held back in a record cache, which would change the order. */
    public static Set<StoreBuilder<?>> builders() {
        return Set.of(LedgerStores.builder(StoreNames.MESSAGES, false));
    }

    // Deliveries.

    /** Null if there is none. */
    public Delivery delivery(UUID id) {
        return MessageCodecs.DELIVERY.decode(store.get(MessageKeys.delivery(id)));
    }

    /** A new one, or the same once more. */
    public void add(Delivery delivery) {
        store.put(MessageKeys.expiry(delivery.expiresMs(), delivery.id()), PRESENT);
        store.put(MessageKeys.ofUser(delivery.user(), delivery.createdMs(), delivery.id()), PRESENT);
        change(null, delivery);
    }

    /** @param before null of a new one */
    public void change(Delivery before, Delivery after) {
        Place from = placeOf(before);
        Place to = placeOf(after);
        if (to != null && !to.equals(from)) {
            store.put(MessageKeys.queued(to), PRESENT);
        }
        store.put(MessageKeys.delivery(after.id()), MessageCodecs.DELIVERY.encode(after));
        if (from != null && !from.equals(to)) {
            unqueue(from);
        }
    }

    private static Place placeOf(Delivery delivery) {
        return delivery != null && delivery.state() instanceof Waiting waiting ? Place.of(delivery, waiting) : null;
    }

    /** All that is there of a user. */
    public List<Delivery> deliveriesOf(UserKey user) {
        return new MessageReader(store).newest(user, Integer.MAX_VALUE);
    }

    /** Leaves its marks, which tell nothing of the user, until they expire. */
    public void forget(Delivery delivery) {
        store.delete(MessageKeys.delivery(delivery.id()));
        store.delete(MessageKeys.ofUser(delivery.user(), delivery.createdMs(), delivery.id()));
        Place place = placeOf(delivery);
        if (place != null) {
            unqueue(place);
        }
    }

    // The queue.

    /** The lane that comes after this one and has something in it; null if none has. @param lane null: from the first */
    public Lane laneAfter(Lane lane) {
        Bytes from = lane == null ? MessageKeys.firstLane() : MessageKeys.afterLane(lane);
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, MessageKeys.afterLanes())) {
            return entries.hasNext() ? MessageKeys.place(entries.next().key).lane() : null;
        }
    }

    /**
     * The first place of a lane.
     *
     * @param from where to begin, itself included; null: at the beginning
     * @param passed places that are stepped over: few
     * @return null if there is none
     */
    public Place firstPlace(Lane lane, Place from, Predicate<UUID> passed) {
        Bytes start = from == null ? MessageKeys.firstOf(lane) : MessageKeys.queued(from);
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(start, MessageKeys.afterLane(lane))) {
            while (entries.hasNext()) {
                Place place = MessageKeys.place(entries.next().key);
                if (!passed.test(place.delivery())) {
                    return place;
                }
            }
            return null;
        }
    }

    /**
     * Puts those back into the queue that wait and have no place in it. A task that was replaced and does not know it writes
     * to the same changelog; a store that is restored from it may hold the delivery as the one wrote it, and the queue as the
     * other did.
     *
     * @param after of the last one looked at; null: from the first
     * @param limit how many are looked at
     * @param requeued told of each that was put back
     * @return the last one looked at, null if that was the last one of all
     */
    public UUID requeue(UUID after, int limit, Consumer<Delivery> requeued) {
        Bytes from = after == null ? MessageKeys.firstDelivery() : StoreKeys.after(MessageKeys.delivery(after));
        List<Bytes> keys = keys(from, MessageKeys.afterDeliveries(), limit);
        for (Bytes key : keys) {
            Delivery delivery = MessageCodecs.DELIVERY.decode(store.get(key));
            Place place = placeOf(delivery);
            if (place != null && store.get(MessageKeys.queued(place)) == null) {
                store.put(MessageKeys.queued(place), PRESENT);
                requeued.accept(delivery);
            }
        }
        return keys.size() < limit ? null : MessageKeys.deliveryOf(keys.getLast());
    }

    public void unqueue(Place place) {
        store.delete(MessageKeys.queued(place));
    }

    // Marks.

    /** Of an attempt; null if none was read. */
    public FirstMark firstMark(UUID delivery, int attempt) {
        UUID life = MessageCodecs.LIFE.decode(store.get(MessageKeys.firstMark(delivery, attempt)));
        return life == null
                ? null
                : new FirstMark(life, store.get(MessageKeys.withdrawn(delivery, attempt, life)) != null);
    }

    /**
     * Always the same for an attempt, whoever reads the topic: so it does not matter if a task that was replaced and does not know
     * it yet still writes, too.
     *
     * @param expiresMs when it may be forgotten
     */
    public void putFirstMark(UUID delivery, int attempt, UUID life, long expiresMs) {
        // Those of a delivery that is here go with it, this one's own entry finds nothing then.
        if (store.get(MessageKeys.delivery(delivery)) == null) {
            store.put(MessageKeys.expiry(expiresMs, delivery), PRESENT);
        }
        store.put(MessageKeys.firstMark(delivery, attempt), MessageCodecs.LIFE.encode(life));
    }

    /** That life never makes this attempt. */
    public void putWithdrawn(UUID delivery, int attempt, UUID life) {
        store.put(MessageKeys.withdrawn(delivery, attempt, life), PRESENT);
    }

    // The end.

    /** Deletes what has expired, at most so many deliveries. */
    public void sweep(long nowMs, int limit) {
        Bytes end = MessageKeys.expiriesAfter(nowMs);
        Bytes start = firstExpiry == null ? MessageKeys.firstExpiry() : firstExpiry;
        if (start.compareTo(end) >= 0) {
            return;
        }
        List<Bytes> expired = keys(start, end, limit);
        for (Bytes expiry : expired) {
            expire(MessageKeys.deliveryOf(expiry), nowMs);
            store.delete(expiry);
        }
        firstExpiry = expired.size() < limit ? end : expired.getLast();
    }

    private void expire(UUID id, long nowMs) {
        Delivery delivery = delivery(id);
        if (delivery != null && delivery.expiresMs() > nowMs) {
            return; // its mark was read before it was, and had an entry of its own
        }
        if (delivery != null) {
            forget(delivery);
        }
        keysWith(MessageKeys.firstMarksOf(id)).forEach(store::delete);
        keysWith(MessageKeys.withdrawnOf(id)).forEach(store::delete);
    }

    private List<Bytes> keysWith(byte[] prefix) {
        return keys(Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()), Integer.MAX_VALUE);
    }

    private List<Bytes> keys(Bytes from, Bytes to, int limit) {
        var keys = new ArrayList<Bytes>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
            while (entries.hasNext() && keys.size() < limit) {
                keys.add(entries.next().key);
            }
        }
        return keys;
    }
}
