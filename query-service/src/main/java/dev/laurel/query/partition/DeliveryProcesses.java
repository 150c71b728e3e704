package dev.laurel.query.partition;

import dev.laurel.query.locate.DeliveryPartitions;

/** The delivery processes of a deployment, which together answer queries about deliveries. Blocks; thread-safe. */
public interface DeliveryProcesses {

    /** @throws dev.laurel.query.locate.NotReadyException if part of the result cannot be read anywhere now */
    <R extends Record> R ask(DeliveryQuery<R> query);

    /** A deployment of one delivery process. */
    record Single(DeliveryPartitions partitions) implements DeliveryProcesses {

        @Override
        public <R extends Record> R ask(DeliveryQuery<R> query) {
            return query.answer(partitions, query.partitionsOf(partitions.count()).boxed().toList());
        }
    }
}
