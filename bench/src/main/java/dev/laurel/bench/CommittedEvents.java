package dev.laurel.bench;

import dev.laurel.deploy.cli.KafkaClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the events of a topic that a Streams application has committed, according to the broker. Processed events
 * may still be in the producer's buffer, which holds tens of thousands. Counts offsets, which is exact for topics
 * written without transactions.
 */
final class CommittedEvents implements AutoCloseable {
    private static final long CHECK_NANOS = 50_000_000;

    private final Admin admin;
    private final String applicationId;
    private final String topic;

    CommittedEvents(String bootstrapServers, String applicationId, String topic) {
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers));
        this.applicationId = applicationId;
        this.topic = topic;
    }

    /** Returns the sum over all partitions. */
    long count() {
        return KafkaClients.get(admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata())
                .entrySet().stream().filter(partition -> partition.getKey().topic().equals(topic))
                .mapToLong(partition -> partition.getValue() == null ? 0 : partition.getValue().offset()).sum();
    }

    /**
     * Waits until this number of events is committed.
     *
     * @param check throws if the application has failed
     */
    void await(long events, Duration timeout, Runnable check) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (count() < events) {
            check.run();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("the events were not processed within " + timeout);
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    /**
     * Counts the records of any topic, including transaction markers. These are a few per partition and commit, which
     * is negligible.
     */
    long recordsOf(String anyTopic) {
        List<TopicPartition> partitions = KafkaClients
                .get(admin.describeTopics(List.of(anyTopic)).allTopicNames()).values().stream()
                .flatMap(description -> description.partitions().stream())
                .map(partition -> new TopicPartition(anyTopic, partition.partition())).toList();
        return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED).values()
                .stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        admin.close();
    }
}
