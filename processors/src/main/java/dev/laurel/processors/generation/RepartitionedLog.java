package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;
import static java.util.Objects.requireNonNull;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.PositionHeader;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The wider log that a generation brings, as a copy of the former log. One thread. */
record RepartitionedLog(Map<String, Object> clientConfig) {

    /** The maximum for one log: the controller takes long to create more, and each partition is a task. */
    static final int MAX_PARTITIONS = 1_000;

    /**
     * Creates the log of a generation with the replicas and the settings of the former log. If an interrupted run has created it and it
     * is empty, it is used.
     *
     * @throws IllegalArgumentException if a copy cannot have this number of partitions
     * @throws IllegalStateException if another topic of that name exists, or Kafka refuses
     */
    void create(String former, Generation generation, int partitions) throws InterruptedException {
        try (var admin = admin()) {
            TopicDescription like = admin.describe(former);
            expectPossible(like.partitions().size(), partitions);
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, former);
            var settings = new HashMap<>(Topics.COMMANDS.config());
            Config set = requireNonNull(
                    admin.get(admin.client().describeConfigs(List.of(resource)).all())
                            .get(resource),
                    "Kafka describes what it is asked for");
            set.entries().stream()
                    .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                    .forEach(entry -> settings.put(entry.name(), entry.value()));
            var wide = new NewTopic(generation.log(), partitions, (short)
                            like.partitions().getFirst().replicas().size())
                    .configs(settings);
            if (!admin.topics().contains(wide.name())) {
                admin.get(admin.client().createTopics(List.of(wide)).all());
            } else if (!isEmpty(admin, wide.name(), partitions)) {
                throw new IllegalStateException("topic " + wide.name() + " exists already, with another number of "
                        + "partitions or with records: it belongs to no generation, so delete it if it is not needed");
            }
        }
    }

    private static boolean isEmpty(BrokerAdmin admin, String log, int partitions) throws InterruptedException {
        return admin.partitions(log) == partitions
                && admin.offsets(log, partitions, OffsetSpec.latest()).stream().allMatch(end -> end == 0);
    }

    /** @throws IllegalArgumentException with the possible numbers */
    static void expectPossible(int narrow, int wide) {
        if (wide <= narrow || wide % narrow != 0 || wide > MAX_PARTITIONS) {
            throw new IllegalArgumentException("the log has " + narrow + " partitions: it can grow to a multiple of "
                    + "them, such as " + 2 * narrow + " or " + 3 * narrow + ", up to " + MAX_PARTITIONS + "; not to "
                    + wide);
        }
    }

    /** The widening from the copied log to that of the generation. */
    Widening wideningOf(GenerationRecord record) throws InterruptedException {
        try (var admin = admin()) {
            return new Widening(admin.partitions(record.copySource()), admin.partitions(record.log()));
        }
    }

    /** Whether Kafka has the committed offsets of the copier for all partitions. */
    boolean isPositionKnown(GenerationRecord record) throws InterruptedException {
        try (var admin = admin()) {
            int partitions = admin.partitions(record.copySource());
            var known = admin.get(admin.client()
                    .listConsumerGroupOffsets(record.generation().copier())
                    .partitionsToOffsetAndMetadata());
            return BrokerAdmin.partitionsOf(record.copySource(), partitions).stream()
                    .allMatch(part -> known.get(part) != null);
        }
    }

    /**
     * Finds the copies of the markers with which a generation is promoted.
     *
     * @param promoted a generation whose markers are in the former log
     * @return the offsets of the copies, by partition of its own log; null while some are missing
     */
    @Nullable
    List<Long> markers(GenerationRecord promoted) throws InterruptedException {
        Widening widening = wideningOf(promoted);
        List<Long> ends = requireNonNull(promoted.ends(), "it has been promoted");
        List<TopicPartition> sources = BrokerAdmin.partitionsOf(promoted.copySource(), widening.narrow());
        var found = new ArrayList<Long>();
        try (var reader = new RangeReader(clientConfig, Map.of());
                var admin = admin()) {
            var times = new ArrayList<Long>();
            for (TopicPartition source : sources) {
                times.add(timeAt(reader, source, ends.get(source.partition())));
            }
            for (TopicPartition wide : BrokerAdmin.partitionsOf(promoted.log(), widening.wide())) {
                int from = widening.sourceOf(wide.partition());
                var first = new LogPosition(Generation.numberOf(promoted.copySource()), from, ends.get(from));
                long begin = admin.get(admin.client()
                                .listOffsets(Map.of(wide, OffsetSpec.forTimestamp(times.get(from))))
                                .partitionResult(wide))
                        .offset();
                ConsumerRecord<byte[], byte[]> marker = begin < 0
                        ? null
                        : first(
                                reader,
                                wide,
                                begin,
                                requireNonNull(reader.ends(List.of(wide)).get(wide)),
                                record -> isMarker(record, promoted.number(), first));
                if (marker == null) {
                    return null;
                }
                found.add(marker.offset());
            }
        }
        return found;
    }

    /** The time of a marker, before which its copy cannot be. */
    private static long timeAt(RangeReader reader, TopicPartition partition, long offset) {
        ConsumerRecord<byte[], byte[]> found = first(reader, partition, offset, offset + 1, _ -> true);
        if (found == null) {
            throw new KafkaUnavailableException("offset " + offset + " of " + partition + " has no record");
        }
        return found.timestamp();
    }

    /** Finds the first record that fulfils a condition. @return null if there is none between the two offsets */
    private static @Nullable ConsumerRecord<byte[], byte[]> first(
            RangeReader reader,
            TopicPartition partition,
            long from,
            long until,
            Predicate<ConsumerRecord<byte[], byte[]>> condition) {
        var found = new ArrayList<ConsumerRecord<byte[], byte[]>>(1);
        reader.seek(partition, from, until);
        try {
            reader.read(TIMEOUT, record -> !condition.test(record) || !found.add(record), () -> {});
        } catch (TimeoutException e) {
            throw new KafkaUnavailableException(
                    "offset " + from + " of " + partition + " and those after it cannot be read", e);
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private static boolean isMarker(ConsumerRecord<byte[], byte[]> record, int number, LogPosition first) {
        // The former log may be a copy itself, but its markers are originals.
        return first.equals(PositionHeader.read(record.headers()))
                && Widening.read(record.value()) instanceof GenerationPromoted promoted
                && promoted.generation() == number;
    }

    private BrokerAdmin admin() {
        return new BrokerAdmin(KafkaClients.admin(clientConfig), TIMEOUT);
    }
}
