package dev.laurel.processors.stream;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A topic, and the group that reads it, as the broker knows them.
 *
 * @param admin the caller's to close
 * @param append writes a record that changes nothing into a partition of the topic, behind all that is there
 */
public record TopicReach(Admin admin, String topic, String group,
        IntFunction<CompletionStage<?>> append) implements CatchUp.Source, GroupLease.Coordinator {

    /** Well within a term. */
    private static final int PATIENCE_MS = 2_000;

    @Override
    public CompletionStage<Reach> reach(int partition) {
        var place = new TopicPartition(topic, partition);
        // The end includes open transactions: what a producer beside them has got accepted may stand behind.
        var end = admin.listOffsets(Map.of(place, OffsetSpec.latest())).partitionResult(place).toCompletionStage();
        var committed = admin.listConsumerGroupOffsets(
                Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(place))))
                .partitionsToOffsetAndMetadata(group).toCompletionStage();
        return end.thenCombine(committed, (known, done) -> {
            OffsetAndMetadata offset = done.get(place);
            return new Reach(known.offset(), offset == null ? 0 : offset.offset());
        });
    }

    /** Where it has committed is what costs the coordinator least. */
    @Override
    public CompletionStage<?> ask() {
        var first = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(new TopicPartition(topic, 0)));
        return admin
                .listConsumerGroupOffsets(Map.of(group, first),
                        new ListConsumerGroupOffsetsOptions().timeoutMs(PATIENCE_MS))
                .partitionsToOffsetAndMetadata(group).toCompletionStage();
    }

    /** On a thread of its own: who writes seldom may have to ask where the topic is, and waits for that. */
    @Override
    public CompletionStage<?> appendMark(int partition) {
        return CompletableFuture.supplyAsync(() -> append.apply(partition), task -> Thread.ofVirtual().start(task))
                .thenCompose(appended -> appended.thenApply(done -> done));
    }
}
