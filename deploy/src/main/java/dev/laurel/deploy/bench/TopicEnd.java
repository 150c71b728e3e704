package dev.laurel.deploy.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * How long a topic is, asked from the broker. The marks of transactions count as records: some per partition and commit,
 * nothing beside the thousands between two commits.
 */
final class TopicEnd implements AutoCloseable {
    private final Admin admin;
    private final Map<TopicPartition, OffsetSpec> ends;

    TopicEnd(String bootstrapServers, String topic) {
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers));
        try {
            ends = admin.describeTopics(List.of(topic)).topicNameValues().get(topic).get().partitions()
                    .stream().collect(Collectors.toUnmodifiableMap(
                            partition -> new TopicPartition(topic, partition.partition()), _ -> OffsetSpec.latest()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking for " + topic, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot tell what partitions " + topic + " has", e.getCause());
        }
    }

    /** The sum over all partitions. */
    long count() {
        try {
            return admin.listOffsets(ends).all().get().values().stream().mapToLong(end -> end.offset()).sum();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking how long a topic is", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot tell how long a topic is", e.getCause());
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
