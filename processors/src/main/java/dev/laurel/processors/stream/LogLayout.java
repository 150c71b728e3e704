package dev.laurel.processors.stream;

import dev.laurel.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Utils;

import static java.util.Objects.requireNonNull;

/** Assigns keys to the partitions of a topic as Kafka's own partitioner does: users to those of the log. */
public record LogLayout(int partitions) {

    /**
     * Asks Kafka for the layout of a topic.
     *
     * @throws IllegalStateException if Kafka does not answer in time, or has no such topic
     */
    public static LogLayout ask(Map<String, Object> clientConfig, String topic, Duration timeout)
            throws InterruptedException {
        try (Admin admin = KafkaClients.admin(clientConfig)) {
            var found = admin.describeTopics(List.of(topic)).allTopicNames()
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new LogLayout(requireNonNull(found.get(topic), "Kafka describes what it is asked for").partitions()
                    .size());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("could not determine how many partitions " + topic + " has", e);
        }
    }

    public int partitionOf(byte[] key) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
