package dev.laurel.processors.stream;

import static java.util.Objects.requireNonNull;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.PositionHeader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.RecordMetadata;

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
            var found =
                    admin.describeTopics(List.of(topic)).allTopicNames().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new LogLayout(requireNonNull(found.get(topic), "Kafka describes what it is asked for")
                    .partitions()
                    .size());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("could not determine how many partitions " + topic + " has", e);
        }
    }

    public int partitionOf(byte[] key) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Finds the positions at which records were first written, before their log was copied into a wider one. One task, one thread. */
    public static final class OriginTracker {

        private String topic = "";
        private int log;

        public LogPosition of(RecordMetadata place, Headers headers) {
            if (!place.topic().equals(topic)) {
                topic = place.topic();
                log = Generation.numberOf(topic);
            }
            // The first log is not a copy, so that a header there is not Laurel's.
            LogPosition first = log == LogPosition.FIRST_LOG ? null : PositionHeader.read(headers);
            return first == null ? new LogPosition(log, place.partition(), place.offset()) : first;
        }
    }
}
