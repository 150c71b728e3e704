package dev.laurel.processors.store;

import dev.laurel.processors.core.sending.MessageDelivery;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the messages of one partition and what came of them. Any thread, if the store allows it. */
public final class MessageLog {

    private final Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> storeOfPartition;

    /** @param storeOfPartition opens {@link StoreNames#MESSAGES}; called for each read */
    public MessageLog(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> storeOfPartition) {
        this.storeOfPartition = storeOfPartition;
    }

    /**
     * The messages of a user, newest first.
     *
     * @throws org.apache.kafka.streams.errors.InvalidStateStoreException while the store is not open here
     */
    public List<MessageDelivery> newest(UserKey user, int limit) {
        return newest(storeOfPartition.get(), user, limit);
    }

    static List<MessageDelivery> newest(ReadOnlyKeyValueStore<Bytes, byte[]> store, UserKey user, int limit) {
        var found = new ArrayList<MessageDelivery>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(MessageKeys.firstOf(user),
                MessageKeys.afterAllOf(user))) {
            while (entries.hasNext() && found.size() < limit) {
                byte[] delivery = store.get(MessageKeys.delivery(MessageKeys.deliveryOf(entries.next().key)));
                // It may have expired meanwhile.
                if (delivery != null) {
                    found.add(MessageCodecs.DELIVERY.decode(delivery));
                }
            }
        }
        return found;
    }
}
