package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.UserKey;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;

/**
 * Ids of objects that belong to a user and can be named by their id alone: pauses, personal boosts and application keys. The first 32
 * bits are Kafka's hash of the user key, from which the user's partition follows; the other bits are random. Objects
 * whose ids were made differently can be addressed only together with their user.
 */
public final class UserResourceIds {

    private UserResourceIds() {}

    /** @param random version 4 UUID whose first 32 bits are replaced */
    public static UUID of(UserKey owner, UUID random) {
        long hash = Utils.murmur2(owner.bytes());
        return new UUID(hash << 32 | random.getMostSignificantBits() & 0xFFFF_FFFFL, random.getLeastSignificantBits());
    }

    /** Whether {@link #of} may have made this id for this owner. */
    public static boolean isOf(UserKey owner, UUID id) {
        return (int) (id.getMostSignificantBits() >>> 32) == Utils.murmur2(owner.bytes());
    }

    /** The partition of the owner in the log, for an id that {@link #of} made. */
    public static int partitionOf(UUID id, int partitions) {
        return Utils.toPositive((int) (id.getMostSignificantBits() >>> 32)) % partitions;
    }
}
