package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.store.MessageReader;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** What users were written in the last seven days, as far as a partition's store knows it. Thread-safe. */
public final class MessageLog {

    private final Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> storeOf;

    /** @param storeOf finds the store of the partition by name */
    public MessageLog(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> storeOf) {
        this.storeOf = storeOf;
    }

    /**
     * Newest first.
     *
     * @throws org.apache.kafka.streams.errors.InvalidStateStoreException while the store is not open here
     */
    public List<Delivery> newest(UserKey user, int limit) {
        return new MessageReader(storeOf.apply(StoreNames.MESSAGES)).newest(user, limit);
    }
}
