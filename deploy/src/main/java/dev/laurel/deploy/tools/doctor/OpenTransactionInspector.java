package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.deploy.tools.doctor.ClusterFacts.HeldFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Finds transactions on the log that stay open for a while. Those of the ruleset writer take milliseconds. */
final class OpenTransactionInspector {

    private static final long LOOK_ON_MS = 2_000;

    private final Admin admin;

    OpenTransactionInspector(Admin admin) {
        this.admin = admin;
    }

    /** @param log null if the topic is missing */
    List<HeldFacts> gather(TopicFacts log) {
        if (log == null) {
            return List.of();
        }
        List<TopicPartition> partitions = log.partitions().stream().filter(partition -> partition.leader() >= 0)
                .map(partition -> new TopicPartition(log.name(), partition.number())).toList();
        Map<TopicPartition, Long> before = open(partitions);
        if (before.isEmpty()) {
            return List.of();
        }
        pause();
        Map<TopicPartition, Long> after = open(List.copyOf(before.keySet()));
        var held = new ArrayList<HeldFacts>();
        Map<TopicPartition, Long> ends = ends(List.copyOf(before.keySet()), IsolationLevel.READ_UNCOMMITTED);
        after.forEach((partition, stable) -> {
            if (stable.equals(before.get(partition))) {
                held.add(held(partition, stable, ends.get(partition)));
            }
        });
        return held;
    }

    private HeldFacts held(TopicPartition partition, long stable, long end) {
        PartitionProducerState producers = KafkaClients
                .get(admin.describeProducers(List.of(partition)).partitionResult(partition));
        for (ProducerState producer : producers.activeProducers()) {
            if (producer.currentTransactionStartOffset().orElse(-1) == stable) {
                return new HeldFacts(partition.partition(), stable, end, producer.producerId(),
                        System.currentTimeMillis() - producer.lastTimestamp());
            }
        }
        return new HeldFacts(partition.partition(), stable, end, -1, 0);
    }

    /** Returns the offset of the first open transaction of each partition that has one. */
    private Map<TopicPartition, Long> open(List<TopicPartition> partitions) {
        Map<TopicPartition, Long> stable = ends(partitions, IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, Long> ends = ends(partitions, IsolationLevel.READ_UNCOMMITTED);
        return stable.entrySet().stream().filter(partition -> partition.getValue() < ends.get(partition.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> latest = partitions.stream()
                .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
        return KafkaClients.get(admin.listOffsets(latest, new ListOffsetsOptions(isolation)).all()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_ON_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while looking at transactions", e);
        }
    }
}
