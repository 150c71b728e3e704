package dev.laurel.delivery.store;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads the messages of one partition and their outcomes. Any thread, if the store allows it.
 *
 * @param store opens {@link StoreNames#DELIVERIES}; called for each read
 */
public record MessageLog(Supplier<ReadOnlyKeyValueStore<Bytes, byte[]>> store) {

    /**
     * The messages of a user, newest first.
     *
     * @throws org.apache.kafka.streams.errors.InvalidStateStoreException while the store is not open on this node
     */
    public List<MessageDelivery> newest(UserKey user, int limit) {
        return newest(store.get(), user, limit);
    }

    static List<MessageDelivery> newest(ReadOnlyKeyValueStore<Bytes, byte[]> store, UserKey user, int limit) {
        var found = new ArrayList<MessageDelivery>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(MessageKeys.firstOf(user),
                MessageKeys.afterAllOf(user))) {
            while (entries.hasNext() && found.size() < limit) {
                byte[] delivery = store.get(MessageKeys.delivery(StoreKeys.idAtEndOf(entries.next().key)));
                // Null if it has expired since the scan began.
                if (delivery != null) {
                    found.add(MessageStore.DELIVERY.decode(delivery));
                }
            }
        }
        return found;
    }
}
