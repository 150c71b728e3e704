package dev.laurel.query.analytics;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The effects of a tenant as they are published, from a position on or from now. It reads the topic with a consumer of its own, so that
 * a slow listener delays nobody. For one thread, except for {@link #stop}.
 */
public final class EffectFeed implements AutoCloseable {

    /** The types of effects, in the order of the documents. */
    public static final List<String> TYPES = List.of("user.created", "user.erased", "achievement.completed",
            "streak.started", "streak.extended", "streak.lost", "streak.freeze_consumed", "streak.freeze_earned",
            "points.changed", "points.level_changed", "points.boost_started", "points.boost_finished",
            "leaderboard.started", "leaderboard.changed", "leaderboard.finished");

    private static final int RADIX = 36;

    private final Filter filter;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private volatile boolean isStopped;

    /**
     * The effects to pass on.
     *
     * @param types empty: all
     * @param user null: those of all users, and those of none
     */
    public record Filter(TenantId tenant, Set<String> types, @Nullable UserId user) {

        public Filter {
            types = Set.copyOf(types);
        }

        /** @param value the effect as JSON */
        boolean matches(byte[] key, byte[] value) {
            String subject = new String(key, UTF_8);
            if (!mayBeOfTenant(subject)) {
                return false;
            }
            JsonNode effect = Json.read(value, JsonNode.class);
            String ofUser = effect.path("user").stringValue(null);
            // The key without a tenant of a user's effect looks like that of an effect of a tenant.
            boolean isOfOtherTenant = tenant.value().isEmpty() && ofUser == null && subject.indexOf('/') < 0
                    && !subject.isEmpty();
            return !isOfOtherTenant && (types.isEmpty() || types.contains(effect.path("type").stringValue("")))
                    && (user == null || user.value().equals(ofUser));
        }

        /** @param subject the key of a user, of a leaderboard or of a tenant */
        private boolean mayBeOfTenant(String subject) {
            int slash = subject.indexOf('/');
            if (tenant.value().isEmpty()) {
                return slash <= 0;
            }
            return slash < 0 ? subject.equals(tenant.value()) : subject.startsWith(UserKey.prefixOf(tenant));
        }
    }

    /**
     * @param clientProperties settings of the Kafka clients
     * @param position one of {@link #position}; null, and one that is not valid: from now on
     */
    public EffectFeed(Map<String, Object> clientProperties, Filter filter, @Nullable String position) {
        this.filter = filter;
        var config = new HashMap<>(clientProperties);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // For a position whose record is deleted already.
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        String topic = Topics.EFFECTS.name();
        this.partitions = consumer.partitionsFor(topic).stream()
                .map(found -> new TopicPartition(topic, found.partition()))
                .sorted((a, b) -> Integer.compare(a.partition(), b.partition())).toList();
        consumer.assign(partitions);
        long[] offsets = position == null ? null : offsetsOf(position, partitions.size());
        if (offsets == null) {
            consumer.seekToEnd(partitions);
        } else {
            IntStream.range(0, offsets.length).forEach(i -> consumer.seek(partitions.get(i), offsets[i]));
        }
    }

    /** @return null: not valid for so many partitions */
    static long @Nullable [] offsetsOf(String position, int partitions) {
        String[] parts = position.split(",", -1);
        if (parts.length != partitions) {
            return null;
        }
        try {
            long[] offsets = Arrays.stream(parts).mapToLong(part -> Long.parseLong(part, RADIX)).toArray();
            return Arrays.stream(offsets).allMatch(offset -> offset >= 0) ? offsets : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /** Where {@link #poll} goes on: a text that a later feed continues from. */
    public String position() {
        return partitions.stream().map(partition -> Long.toString(consumer.position(partition), RADIX))
                .collect(Collectors.joining(","));
    }

    /** Waits for effects; returns those that match, as JSON in one line each. Empty if there are none in time, and once stopped. */
    public List<byte[]> poll(Duration timeout) {
        var matching = new ArrayList<byte[]>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(timeout)) {
                if (filter.matches(record.key(), record.value())) {
                    matching.add(record.value());
                }
            }
        } catch (WakeupException _) {
            // Stopped.
        }
        return matching;
    }

    /** Ends the wait of {@link #poll}. Thread-safe. */
    public void stop() {
        isStopped = true;
        consumer.wakeup();
    }

    public boolean isStopped() {
        return isStopped;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
