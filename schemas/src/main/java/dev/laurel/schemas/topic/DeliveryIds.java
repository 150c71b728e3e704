package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.Uuids;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;

/**
 * Ids of webhook deliveries: UUIDs of version 8. As in {@link UserResourceIds}, the first 32 bits are Kafka's hash of the key
 * in {@code laurel.outbox}, from which the partition of the delivery follows. Then come the time of the event in
 * milliseconds, by which the log of deliveries is sorted, and 42 bits of a hash that distinguishes deliveries of the
 * same millisecond.
 */
public final class DeliveryIds {

    private static final long VERSION = 0x8000;
    private static final long VARIANT = 1L << 63;
    private static final int HASH_BITS = 42;
    private static final long HASH_MASK = (1L << HASH_BITS) - 1;

    /** Orders ids by their time, newest first; ids of the same time by their bytes, greatest first. */
    public static final Comparator<UUID> NEWEST_FIRST = Comparator.comparingLong(DeliveryIds::timeMs)
            .thenComparing(Uuids.BY_BYTES)
            .reversed();

    private DeliveryIds() {}

    /**
     * The id of the delivery of an event, or of a test, to a webhook.
     *
     * @param outboxKey key of the record in {@code laurel.outbox}
     * @param at time of the event, not before 1970
     * @param event id of the event; together with the webhook it identifies the delivery
     */
    public static UUID of(byte[] outboxKey, Instant at, UUID event, UUID webhook) {
        long keyHash = Utils.murmur2(outboxKey);
        long timeMs = at.toEpochMilli();
        UUID name = UUID.nameUUIDFromBytes(("laurel-delivery/" + event + "/" + webhook).getBytes(UTF_8));
        long most = keyHash << 32 | (timeMs >>> 32 & 0xFFFF) << 16 | VERSION | timeMs >>> 20 & 0xFFF;
        long least = VARIANT | (timeMs & 0xF_FFFF) << HASH_BITS | name.getLeastSignificantBits() & HASH_MASK;
        return new UUID(most, least);
    }

    /** Whether this has the form of a delivery id. */
    public static boolean isOne(UUID id) {
        return id.version() == 8 && id.variant() == 2;
    }

    /** The time in the id, in ms since 1970. */
    public static long timeMs(UUID id) {
        long most = id.getMostSignificantBits();
        return (most >>> 16 & 0xFFFF) << 32
                | (most & 0xFFF) << 20
                | id.getLeastSignificantBits() >>> HASH_BITS & 0xF_FFFF;
    }

    /** The partition of {@code laurel.outbox} that contains the record. */
    public static int partitionOf(UUID id, int partitions) {
        return UserResourceIds.partitionOf(id, partitions);
    }
}
