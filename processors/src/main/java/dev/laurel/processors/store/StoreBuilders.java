package dev.laurel.processors.store;

import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Makes the builders of stores in RocksDB, each with a changelog topic of its own. */
public final class StoreBuilders {

    private StoreBuilders() {}

    /** @param preCommit whether its task writes before each commit what it has only in memory */
    public static StoreBuilder<?> logged(String name, boolean preCommit, boolean cached) {
        StoreBuilder<KeyValueStore<Bytes, byte[]>> store = logged(name, cached);
        return preCommit ? new PreCommitStore.Builder(store) : store;
    }

    public static StoreBuilder<KeyValueStore<Bytes, byte[]>> logged(String name, boolean cached) {
        var builder = Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(),
                Serdes.ByteArray());
        return cached ? builder.withCachingEnabled() : builder.withCachingDisabled();
    }
}
