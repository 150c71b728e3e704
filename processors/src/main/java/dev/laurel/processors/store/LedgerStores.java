package dev.laurel.processors.store;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The stores of the ledger application: RocksDB, each with a changelog topic of its own. */
public final class LedgerStores {

    private LedgerStores() {}

    /** @param cached hold changes back in a record cache */
    public static Set<StoreBuilder<?>> builders(boolean cached) {
        return Stream
                .of(StoreNames.USERS, StoreNames.METRIC_DAYS, StoreNames.STREAK_PERIODS, StoreNames.POINTS_LEDGER,
                        StoreNames.IDEMPOTENCY_KEYS, StoreNames.TIMERS, StoreNames.PARTITION_STATE)
                .map(name -> builder(name, cached)).collect(Collectors.toUnmodifiableSet());
    }

    static StoreBuilder<?> builder(String name, boolean cached) {
        var builder = Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(),
                Serdes.ByteArray());
        return cached ? builder.withCachingEnabled() : builder.withCachingDisabled();
    }
}
