package dev.laurel.deploy.e2e;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/** Shows how far Streams applications have processed the log. */
final class LogCheck {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final String bootstrapServers;
    private final String topic;

    LogCheck(String bootstrapServers) {
        this(bootstrapServers, DirectProducer.COMMANDS);
    }

    /** @param topic instead of the log */
    LogCheck(String bootstrapServers, String topic) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
    }

    int partitions() {
        try (Admin admin = admin()) {
            return ends(admin).size();
        }
    }

    /** Waits until the application has committed at least this many records. */
    void awaitCommitted(String application, long records) {
        try (Admin admin = admin()) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> committed(admin, application).values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            >= records);
        }
    }

    /** Waits until the application has committed all present records of the log. */
    void awaitProcessed(String application) {
        try (Admin admin = admin()) {
            Map<TopicPartition, Long> ends = ends(admin);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> hasReached(committed(admin, application), ends));
        }
    }

    /** Waits until nothing is added to the log any more, not even by the application, and all of it is committed. */
    void awaitQuiet(String application) {
        try (Admin admin = admin()) {
            var since = new Object() {
                private Map<TopicPartition, Long> ends = ends(admin);
                private long ns = System.nanoTime();
            };
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        Map<TopicPartition, Long> ends = ends(admin);
                        if (!ends.equals(since.ends) || !hasReached(committed(admin, application), ends)) {
                            since.ends = ends;
                            since.ns = System.nanoTime();
                        }
                        return System.nanoTime() - since.ns > QUIET.toNanos();
                    });
        }
    }

    private static boolean hasReached(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(e -> committed.getOrDefault(e.getKey(), 0L) >= e.getValue());
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    private Map<TopicPartition, Long> ends(Admin admin) {
        try {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .forEach(partition ->
                            latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
            Map<TopicPartition, Long> ends = new HashMap<>();
            admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the log's ends are not to be had", e);
        }
    }

    private static Map<TopicPartition, Long> committed(Admin admin, String application) throws Exception {
        var offsets = new HashMap<TopicPartition, Long>();
        admin.listConsumerGroupOffsets(application)
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        offsets.put(partition, offset.offset());
                    }
                });
        return offsets;
    }
}
