package dev.laurel.processors.store;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The messages of a partition, for reads: which there are of a user, and what came of them. As thread-safe as the store. */
public final class MessageReader {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    /** @param store {@link StoreNames#MESSAGES} */
    public MessageReader(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Newest first. */
    public List<Delivery> newest(UserKey user, int limit) {
        var found = new ArrayList<Delivery>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(MessageKeys.firstOf(user),
                MessageKeys.afterAllOf(user))) {
            while (entries.hasNext() && found.size() < limit) {
                byte[] delivery = store.get(MessageKeys.delivery(MessageKeys.deliveryOf(entries.next().key)));
                // It may be swept at this moment.
                if (delivery != null) {
                    found.add(MessageCodecs.DELIVERY.decode(delivery));
                }
            }
        }
        return found;
    }
}
