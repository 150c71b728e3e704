package dev.laurel.query.locate;

import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.delivery.store.DeliveryLog;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Reads webhook deliveries from the partitions of this process. Thread-safe.
 *
 * @param count the number of partitions of the outbox
 * @param logOf the deliveries of a partition; throws {@code InvalidStateStoreException}, as do its methods, while they are not open
 *        in this process
 */
public record DeliveryPartitions(int count, IntFunction<DeliveryLog> logOf) {

    public static DeliveryPartitions of(Delivery delivery) {
        return new DeliveryPartitions(delivery.layout().partitions(), delivery::log);
    }

    /** Reads from this partition. @throws NotReadyException if it is not open in this process */
    public <T extends @Nullable Object> T read(int partition, Function<DeliveryLog, T> read) {
        try {
            return read.apply(logOf.apply(partition));
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("deliveries of partition " + partition + " are not open here now", e);
        }
    }
}
