package dev.laurel.schemas.topic;

import java.util.Map;
import org.apache.kafka.common.serialization.Serde;

/**
 * The name, types and settings of a topic.
 *
 * @param partitioning determines the number of partitions from the sizes of the deployment
 * @param config broker settings with which the topic is created
 */
public record Topic<K, V>(
        String name, Serde<K> key, Serde<V> value, Partitioning partitioning, Map<String, String> config) {

    /** A topic with another name and the same properties. */
    public Topic<K, V> named(String other) {
        return new Topic<>(other, key, value, partitioning, config);
    }

    /** The key of a record. */
    public byte[] keyBytes(K of) {
        return key.serializer().serialize(name, of);
    }

    /** The value of a record. */
    public byte[] valueBytes(V of) {
        return value.serializer().serialize(name, of);
    }

    public K readKey(byte[] bytes) {
        return key.deserializer().deserialize(name, bytes);
    }

    public V readValue(byte[] bytes) {
        return value.deserializer().deserialize(name, bytes);
    }

    /** The size of the deployment that determines a topic's number of partitions. */
    public enum Partitioning {
        /** The number of partitions of users. */
        USERS,
        /** The number of partitions of leaderboards. */
        BOARDS,
        /** The number of gateways with partitions of their own. */
        GATEWAYS,
        /** A single partition, for a total order of the records. */
        ONE
    }
}
