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
import org.jspecify.annotations.Nullable;

/** A topic and the group that reads it, as the brokers know them. Thread-safe. */
public class TopicCatchUpSource implements StartupCatchUp.Source, GroupLease.Coordinator {

    /** Well below the duration of a term. */
    private static final int TIMEOUT_MS = 2_000;

    private final Admin admin;
    private final String topic;
    private final String group;
    private final IntFunction<CompletionStage<?>> append;

    /**
     * @param admin closed by the caller
     * @param append appends a record that changes nothing to a partition of the topic
     */
    public TopicCatchUpSource(Admin admin, String topic, String group, IntFunction<CompletionStage<?>> append) {
        this.admin = admin;
        this.topic = topic;
        this.group = group;
        this.append = append;
    }

    @Override
    public CompletionStage<Reach> reach(int partition) {
        var topicPartition = new TopicPartition(topic, partition);
        // The end includes open transactions: accepted records of other producers may follow them.
        var end = admin.listOffsets(Map.of(topicPartition, OffsetSpec.latest())).partitionResult(topicPartition)
                .toCompletionStage();
        var committed = admin.listConsumerGroupOffsets(
                Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(topicPartition))))
                .partitionsToOffsetAndMetadata(group).toCompletionStage();
        return end.thenCombine(committed, (known, done) -> {
            @Nullable
            OffsetAndMetadata offset = done.get(topicPartition);
            return new Reach(known.offset(), offset == null ? 0 : offset.offset());
        });
    }

    /** Asks for a committed offset, which costs the coordinator least. */
    @Override
    public CompletionStage<?> ask() {
        var first = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(new TopicPartition(topic, 0)));
        return admin
                .listConsumerGroupOffsets(Map.of(group, first),
                        new ListConsumerGroupOffsetsOptions().timeoutMs(TIMEOUT_MS))
                .partitionsToOffsetAndMetadata(group).toCompletionStage();
    }

    /** Uses a thread of its own, since a producer that writes rarely may block to fetch metadata of the topic. */
    @Override
    public CompletionStage<?> appendMark(int partition) {
        return CompletableFuture.supplyAsync(() -> append.apply(partition), task -> Thread.ofVirtual().start(task))
                .thenCompose(appended -> appended.thenApply(done -> done));
    }
}
