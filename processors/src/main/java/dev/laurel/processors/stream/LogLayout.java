package dev.laurel.processors.stream;

import org.apache.kafka.common.utils.Utils;

/** How users are spread over the partitions of the log: as Kafka's own partitioner does it. */
public record LogLayout(int partitions) {

    public int partitionOf(byte[] key) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
