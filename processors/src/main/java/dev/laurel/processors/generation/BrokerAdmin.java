package dev.laurel.processors.generation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Requests to the brokers that wait for the answer, up to a limit. Thread-safe. */
final class BrokerAdmin implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private final Duration patience;

    /** @param patience of each request */
    BrokerAdmin(Map<String, Object> clientConfig, Duration patience) {
        this.admin = Admin.create(clientConfig);
        this.patience = patience;
    }

    /** The client, for requests whose answers {@link #get} waits for. */
    Admin client() {
        return admin;
    }

    /** @throws KafkaUnavailableException if the broker refuses, or does not answer in time */
    <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        return get(answer, null);
    }

    /** @param expected an error that means that nothing is left to do; null is returned then */
    <T> T get(KafkaFuture<T> answer, Class<? extends Exception> expected) throws InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (expected != null && expected.isInstance(e.getCause())) {
                return null;
            }
            throw new KafkaUnavailableException("Kafka refused: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new KafkaUnavailableException("Kafka did not answer within " + patience.toSeconds() + " s", e);
        }
    }

    TopicDescription describe(String topic) throws InterruptedException {
        return get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    }

    int partitions(String topic) throws InterruptedException {
        return describe(topic).partitions().size();
    }

    /** The offsets of a kind, in the order of partitions. */
    List<Long> offsets(String topic, int partitions, OffsetSpec which) throws InterruptedException {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitionsOf(topic, partitions).forEach(partition -> asked.put(partition, which));
        var found = get(admin.listOffsets(asked).all());
        return partitionsOf(topic, partitions).stream().map(partition -> found.get(partition).offset()).toList();
    }

    /** The committed offsets of a group, 0 where it has committed none. In the order of partitions. */
    List<Long> committed(String group, String topic, int partitions) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = get(
                admin.listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()))
                        .partitionsToOffsetAndMetadata(group));
        var ordered = new ArrayList<Long>();
        for (TopicPartition partition : partitionsOf(topic, partitions)) {
            OffsetAndMetadata offset = committed.get(partition);
            ordered.add(offset == null ? 0 : offset.offset());
        }
        return ordered;
    }

    static List<TopicPartition> partitionsOf(String topic, int count) {
        return IntStream.range(0, count).mapToObj(partition -> new TopicPartition(topic, partition)).toList();
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
