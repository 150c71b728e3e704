package dev.laurel.query.locate;

import dev.laurel.processors.Delivery;
import dev.laurel.processors.delivery.webhook.DeliveryLog;
import dev.laurel.query.read.NotReadyException;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * What is known of deliveries, in the partitions of this process. Thread-safe.
 *
 * @param count how many partitions there are
 * @param logOf a partition's log; fails as its answers do while they are not open here
 */
public record DeliveryPartitions(int count, IntFunction<DeliveryLog> logOf) {

    public static DeliveryPartitions of(Delivery delivery) {
        return new DeliveryPartitions(delivery.layout().partitions(), delivery::log);
    }

    /** Reads from this partition. @throws NotReadyException if it is not open here */
    public <T> T read(int partition, Function<DeliveryLog, T> read) {
        try {
            return read.apply(logOf.apply(partition));
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("deliveries of partition " + partition + " are not open here now", e);
        }
    }
}
