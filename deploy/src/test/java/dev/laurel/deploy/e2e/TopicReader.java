package dev.laurel.deploy.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads whole topics with their committed records. */
final class TopicReader {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrapServers;

    TopicReader(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Returns the records of each partition in order.
     *
     * @throws IllegalStateException if reading takes too long
     */
    List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            long startedNs = System.nanoTime();
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                if (System.nanoTime() - startedNs > PATIENCE.toNanos()) {
                    throw new IllegalStateException(topic + " was not read within " + PATIENCE.toSeconds() + " s");
                }
                consumer.poll(POLL).forEach(records::add);
            }
            return records;
        }
    }
}
