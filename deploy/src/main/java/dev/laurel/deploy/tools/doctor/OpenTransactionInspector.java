package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.OpenTransactionFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaClients;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds transactions on the log that stay open for a while. Those of the ruleset writer take milliseconds. */
final class OpenTransactionInspector {

    private static final long PAUSE_MS = 2_000;

    private final Admin admin;

    OpenTransactionInspector(Admin admin) {
        this.admin = admin;
    }

    /** @param log null: the topic is missing */
    List<OpenTransactionFacts> gather(@Nullable TopicFacts log) {
        if (log == null) {
            return List.of();
        }
        Map<TopicPartition, Long> before = starts(log.partitionsWithLeader());
        if (before.isEmpty()) {
            return List.of();
        }
        pause();
        Map<TopicPartition, Long> after = starts(before.keySet());
        Map<TopicPartition, Long> ends = ends(before.keySet(), IsolationLevel.READ_UNCOMMITTED);
        var open = new ArrayList<OpenTransactionFacts>();
        after.forEach((partition, start) -> {
            if (start.equals(before.get(partition))) {
                open.add(openTransaction(partition, start, ends.getOrDefault(partition, start)));
            }
        });
        return open;
    }

    private OpenTransactionFacts openTransaction(TopicPartition partition, long start, long end) {
        PartitionProducerState producers = KafkaClients
                .get(admin.describeProducers(List.of(partition)).partitionResult(partition));
        for (ProducerState producer : producers.activeProducers()) {
            if (producer.currentTransactionStartOffset().orElse(-1) == start) {
                return new OpenTransactionFacts(partition.partition(), start, end, producer.producerId(),
                        System.currentTimeMillis() - producer.lastTimestamp());
            }
        }
        return new OpenTransactionFacts(partition.partition(), start, end, -1, 0);
    }

    /** Returns the offset of the first open transaction of each partition that has one. */
    private Map<TopicPartition, Long> starts(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> starts = ends(partitions, IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, Long> ends = ends(partitions, IsolationLevel.READ_UNCOMMITTED);
        starts.entrySet().removeIf(partition -> ends.getOrDefault(partition.getKey(), 0L) <= partition.getValue());
        return starts;
    }

    private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions, IsolationLevel isolation) {
        return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), isolation);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while inspecting transactions", e);
        }
    }
}
