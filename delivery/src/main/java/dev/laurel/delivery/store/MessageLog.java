package dev.laurel.delivery.store;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
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
        return MessageStore.newest(store.get(), user, limit);
    }
}
