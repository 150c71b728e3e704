package dev.laurel.processors.store.users;

import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** The stores of the ledger application, and that of delivery: RocksDB, each with a changelog topic of its own. */
public final class LedgerStores {

    private LedgerStores() {}

    /** @param cached whether they have a record cache */
    public static Set<StoreBuilder<?>> builders(boolean cached) {
        return Stream
                .of(StoreNames.USERS, StoreNames.METRIC_DAYS, StoreNames.STREAK_PERIODS, StoreNames.POINTS_LEDGER,
                        StoreNames.IDEMPOTENCY_KEYS, StoreNames.TIMERS, StoreNames.COUNTERS,
                        StoreNames.PARTITION_STATE)
                .map(name -> builder(name, isPreCommit(name), cached))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The store of delivery. No record cache, which would change the order of writes. */
    public static StoreBuilder<?> deliveries() {
        return builder(StoreNames.DELIVERIES, true, false);
    }

    private static boolean isPreCommit(String name) {
        return name.equals(StoreNames.COUNTERS) || name.equals(StoreNames.PARTITION_STATE);
    }

    /** @param preCommit whether its task writes before each commit what it has only in memory */
    public static StoreBuilder<?> builder(String name, boolean preCommit, boolean cached) {
        StoreBuilder<KeyValueStore<Bytes, byte[]>> store = builder(name, cached);
        return preCommit ? new PreCommitStore.Builder(store) : store;
    }

    public static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(String name, boolean cached) {
        var builder = Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(),
                Serdes.ByteArray());
        return cached ? builder.withCachingEnabled() : builder.withCachingDisabled();
    }

    /** The bytes of the key of the user that an entry belongs to; null if it belongs to no user. @param store a store of the ledger */
    public static byte @Nullable [] userOf(String store, Bytes key) {
        return switch (store) {
            case StoreNames.USERS -> key.get();
            case StoreNames.TIMERS -> StoreKeys.userOf(key);
            case StoreNames.METRIC_DAYS, StoreNames.STREAK_PERIODS, StoreNames.POINTS_LEDGER,
                    StoreNames.IDEMPOTENCY_KEYS -> {
                ByteBuffer bytes = ByteBuffer.wrap(key.get());
                var user = new byte[bytes.getShort()];
                bytes.get(user);
                yield user;
            }
            case StoreNames.COUNTERS -> null;
            case StoreNames.PARTITION_STATE -> UserIndexKeys.userOf(key);
            default -> throw new IllegalArgumentException("the ledger has no store " + store);
        };
    }
}
