package dev.laurel.processors.store.users;

import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/** The stores of the ledger application: RocksDB, each with a changelog topic of its own. */
public final class LedgerStores {

    private LedgerStores() {}

    /** @param cached whether they have a record cache */
    public static Set<StoreBuilder<?>> builders(boolean cached) {
        return Stream
                .of(StoreNames.USERS, StoreNames.METRIC_DAYS, StoreNames.STREAK_PERIODS, StoreNames.POINTS_LEDGER,
                        StoreNames.IDEMPOTENCY_KEYS, StoreNames.TIMERS, StoreNames.COUNTERS,
                        StoreNames.PARTITION_STATE)
                .map(name -> PreCommitStore.builder(name, isPreCommit(name), cached))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isPreCommit(String name) {
        return name.equals(StoreNames.COUNTERS) || name.equals(StoreNames.PARTITION_STATE);
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
