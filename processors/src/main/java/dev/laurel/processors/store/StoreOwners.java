package dev.laurel.processors.store;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/** Whose the entries of the ledger's stores are. */
public final class StoreOwners {

    private StoreOwners() {}

    /** The user key's bytes; null where the entry is no user's. @param store one of the ledger's */
    public static byte[] userOf(String store, Bytes key) {
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
            case StoreNames.PARTITION_STATE -> null;
            default -> throw new IllegalArgumentException("the ledger has no store " + store);
        };
    }
}
