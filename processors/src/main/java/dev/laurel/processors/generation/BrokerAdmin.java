package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the brokers, and waits for the answers up to a timeout. Thread-safe.
 *
 * @param client for requests whose answers {@link #get} waits for
 * @param timeout of each request
 */
record BrokerAdmin(Admin client, Duration timeout) implements AutoCloseable {

    /** @throws KafkaUnavailableException if the broker refuses, or does not answer in time */
    <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw KafkaUnavailableException.of("Kafka refused", e);
        } catch (TimeoutException e) {
            throw new KafkaUnavailableException("Kafka did not answer within " + timeout.toSeconds() + " s", e);
        }
    }

    /** Works like {@link #get}, but returns null for an error that means that nothing is left to do. */
    <T> @Nullable T getUnless(Class<? extends Exception> nothingLeft, KafkaFuture<T> answer)
            throws InterruptedException {
        try {
            return get(answer);
        } catch (KafkaUnavailableException e) {
            if (nothingLeft.isInstance(e.getCause())) {
                return null;
            }
            throw e;
        }
    }

    /** The names of the topics that exist. */
    Set<String> topics() throws InterruptedException {
        return get(client.listTopics().names());
    }

    TopicDescription describe(String topic) throws InterruptedException {
        return requireNonNull(
                get(client.describeTopics(List.of(topic)).allTopicNames()).get(topic),
                "Kafka describes what it is asked for");
    }

    int partitions(String topic) throws InterruptedException {
        return describe(topic).partitions().size();
    }

    /** The offsets that match a specification, in the order of partitions. */
    List<Long> offsets(String topic, int partitions, OffsetSpec which) throws InterruptedException {
        List<TopicPartition> ordered = partitionsOf(topic, partitions);
        var listed = get(client.listOffsets(ordered.stream().collect(Collectors.toMap(Function.identity(), _ -> which)))
                .all());
        return ordered.stream()
                .map(partition -> requireNonNull(listed.get(partition), "Kafka answers what it is asked")
                        .offset())
                .toList();
    }

    /** The committed offsets of a group in the order of partitions; 0 where it has committed none. */
    List<Long> committed(String group, String topic, int partitions) throws InterruptedException {
        return committed(group, topic, partitions, false);
    }

    /** @param isFinal whether to wait for open transactions of the group, which may commit more */
    List<Long> committed(String group, String topic, int partitions, boolean isFinal) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = get(client.listConsumerGroupOffsets(
                        Map.of(group, new ListConsumerGroupOffsetsSpec()),
                        new ListConsumerGroupOffsetsOptions().requireStable(isFinal))
                .partitionsToOffsetAndMetadata(group));
        var ordered = new ArrayList<Long>();
        for (TopicPartition partition : partitionsOf(topic, partitions)) {
            OffsetAndMetadata offset = committed.get(partition);
            ordered.add(offset == null ? 0 : offset.offset());
        }
        return ordered;
    }

    static List<TopicPartition> partitionsOf(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    @Override
    public void close() {
        client.close(CLOSE_TIMEOUT);
    }
}
