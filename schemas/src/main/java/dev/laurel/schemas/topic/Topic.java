package dev.laurel.schemas.topic;

import java.util.Map;
import org.apache.kafka.common.serialization.Serde;

/**
 * A topic as one typed constant.
 *
 * @param partitioning which of the deployment's sizes gives its number of partitions
 * @param config broker-side settings it is created with
 */
public record Topic<K, V>(String name, Serde<K> key, Serde<V> value, Partitioning partitioning,
        Map<String, String> config) {

    /** One like it, under another name. */
    public Topic<K, V> named(String other) {
        return new Topic<>(other, key, value, partitioning, config);
    }

    /** What a topic's number of partitions depends on. */
    public enum Partitioning {
        /** As many as there are partitions of users. */
        USERS,
        /** As many as there are partitions of leaderboards. */
        BOARDS,
        /** As many as gateways should be kept apart. */
        GATEWAYS,
        /** A single partition: the order of everything matters. */
        ONE
    }
}
