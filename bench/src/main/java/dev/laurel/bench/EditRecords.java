package dev.laurel.bench;

import dev.laurel.processors.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Counts the records that edits of rulesets cause, from {@link #begin} to {@link #count}. Used by one thread. */
final class EditRecords {

    private static final List<String> COUNTED = List.of(Topics.COMMANDS.name(), Topics.SCORES.name(),
            Topics.RULESETS.name());
    private static final Duration POLL = Duration.ofMillis(500);
    private static final String MARKER = "\"ruleset-published\"";

    private final String bootstrapServers;
    private final Map<TopicPartition, Long> from = new HashMap<>();

    EditRecords(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** @param markers in the log @param messages about rules to leaderboards @param rulesetBytes of versions */
    record Count(long markers, long messages, long rulesetBytes) {}

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        return COUNTED.stream().flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition())).toList();
    }

    /** Counts from here on. */
    void begin() {
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            from.putAll(consumer.endOffsets(partitions));
        }
    }

    Count count() {
        long markers = 0;
        long messages = 0;
        long bytes = 0;
        try (var consumer = consumer()) {
            consumer.assign(from.keySet());
            Map<TopicPartition, Long> ends = consumer.endOffsets(from.keySet());
            from.forEach(consumer::seek);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.topic().equals(Topics.COMMANDS.name())) {
                        markers += new String(record.value(), UTF_8).contains(MARKER) ? 1 : 0;
                    } else if (record.topic().equals(Topics.SCORES.name())) {
                        messages += BoardMessages.read(record.value()).message() instanceof RulesPublished ? 1 : 0;
                    } else {
                        bytes += Math.max(0, record.serializedValueSize()); // a deletion has none
                    }
                }
            }
        }
        return new Count(markers, messages, bytes);
    }
}
