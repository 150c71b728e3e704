package dev.laurel.deploy.bench;

import dev.laurel.deploy.cli.KafkaClients;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Counts the events of a topic that a Streams application has committed, according to the broker. Processed events
 * may still be in the producer's buffer, which holds tens of thousands. Counts offsets, which is exact for topics
 * written without transactions.
 */
final class CommittedEvents implements AutoCloseable {
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

    @Override
    public void close() {
        admin.close();
    }
}
