package dev.laurel.deploy.tools.doctor;

import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Reads the clock of each broker. Kafka has no request for that, but a broker can set the time of a record: the probe
 * creates a topic with one partition on each broker, writes a record to each, and deletes the topic.
 */
record BrokerClockProbe(KafkaAccess kafka, Admin admin) {

    /** Prefix of the names of these topics, and of no others. */
    static final String PREFIX = "laurel.doctor-";

    private static final int TIMEOUT_MS = 10_000;
    private static final String RETENTION_MS = "60000";

    /** Returns the clocks by broker id. */
    Map<Integer, ClusterFacts.ClockFacts> measure(List<Node> brokers) {
        String topic = PREFIX + UUID.randomUUID();
        Map<Integer, List<Integer>> replicas = IntStream.range(0, brokers.size())
                .boxed()
                .collect(Collectors.toMap(
                        number -> number, number -> List.of(brokers.get(number).id())));
        KafkaClients.get(admin.createTopics(List.of(new NewTopic(topic, replicas)
                        .configs(Map.of(
                                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                                "LogAppendTime",
                                TopicConfig.RETENTION_MS_CONFIG,
                                RETENTION_MS,
                                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                                "1"))))
                .all());
        try (Producer<byte[], byte[]> producer = KafkaClients.producer(
                kafka.clientProperties(),
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        TIMEOUT_MS,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        TIMEOUT_MS,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        TIMEOUT_MS / 2,
                        ProducerConfig.LINGER_MS_CONFIG,
                        0))) {
            var clocks = new HashMap<Integer, ClusterFacts.ClockFacts>();
            for (int number = 0; number < brokers.size(); number++) {
                // The first record also waits for metadata and the leader; only the second one measures the clock.
                write(producer, topic, number);
                clocks.put(brokers.get(number).id(), write(producer, topic, number));
            }
            return clocks;
        } finally {
            KafkaClients.get(admin.deleteTopics(List.of(topic)).all());
        }
    }

    private static ClusterFacts.ClockFacts write(Producer<byte[], byte[]> producer, String topic, int partition) {
        long askedMs = System.currentTimeMillis();
        RecordMetadata written = KafkaClients.get(
                producer.send(new ProducerRecord<>(topic, partition, null, new byte[0])),
                Duration.ofMillis(TIMEOUT_MS),
                "a broker did not accept a record");
        return ClusterFacts.ClockFacts.of(written.timestamp(), 1, askedMs, System.currentTimeMillis());
    }
}
