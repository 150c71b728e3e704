package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.UserKey;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;

/**
 * Ids of things that belong to a user and are asked for by their id alone: pauses, and boosts of a user's own. The first 32
 * bits are Kafka's hash of the user's key, so that anyone can tell the partition in which the user lies; the others are random.
 * Someone who makes such ids otherwise can name the things by user only.
 */
public final class OwnedIds {

    private OwnedIds() {}

    /** @param random a UUID of version 4, whose first 32 bits are replaced */
    public static UUID of(UserKey owner, UUID random) {
        long hash = Utils.murmur2(owner.bytes());
        return new UUID(hash << 32 | random.getMostSignificantBits() & 0xFFFF_FFFFL, random.getLeastSignificantBits());
    }

    /** The partition of the log in which the owner lies, where the id was made by {@link #of}. */
    public static int partitionOf(UUID id, int partitions) {
        return Utils.toPositive((int) (id.getMostSignificantBits() >>> 32)) % partitions;
    }
}
