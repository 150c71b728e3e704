package dev.laurel.deploy.bench;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * How far a Streams application has committed in one topic, asked from the broker. An event that was only processed may
 * still wait in the producer's buffer, which holds tens of thousands of them. Offsets stand for events: right for a
 * topic that is written outside transactions.
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

    /** The sum over all partitions. */
    long count() {
        try {
            return admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata().get().entrySet()
                    .stream().filter(partition -> partition.getKey().topic().equals(topic))
                    .mapToLong(partition -> partition.getValue() == null ? 0 : partition.getValue().offset()).sum();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking for committed offsets", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Cannot tell what " + applicationId + " has committed", e.getCause());
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
