package dev.laurel.processors.replay;

import dev.laurel.processors.stream.Widening;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.GenerationPromoted;
import dev.laurel.schemas.command.LogPlace;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.PlaceHeader;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The log that a generation brings, and the one that it is a copy of. One thread. */
public final class WideLog {

    /** Of one log: a broker's controller takes a while for more, and every node has a task for each. */
    public static final int MAX_PARTITIONS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Map<String, Object> clientConfig;

    public WideLog(Map<String, Object> clientConfig) {
        this.clientConfig = clientConfig;
    }

    /** @return of the topic. @throws IllegalStateException if there is no such topic, or Kafka does not answer */
    public int partitions(String log) throws InterruptedException {
        try (Admin admin = Admin.create(clientConfig)) {
            return describe(admin, log).partitions().size();
        }
    }

    private static TopicDescription describe(Admin admin, String log) throws InterruptedException {
        return get(admin.describeTopics(List.of(log)).allTopicNames()).get(log);
    }

    /**
     * Creates the log of a generation: with as many copies as the former one has, and everything that was set for that one.
     * One that was created for the same by somebody who came no further will do.
     *
     * @throws IllegalArgumentException if it cannot be a copy with so many partitions
     * @throws IllegalStateException if there is another topic of that name already, or Kafka refuses
     */
    void create(String former, Generation generation, int partitions) throws InterruptedException {
        try (Admin admin = Admin.create(clientConfig)) {
            TopicDescription like = describe(admin, former);
            expectPossible(like.partitions().size(), partitions);
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, former);
            var settings = new HashMap<>(Topics.COMMANDS.config());
            Config set = get(admin.describeConfigs(List.of(resource)).all()).get(resource);
            set.entries().stream().filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                    .forEach(entry -> settings.put(entry.name(), entry.value()));
            var wide = new NewTopic(generation.log(), partitions,
                    (short) like.partitions().getFirst().replicas().size()).configs(settings);
            if (!get(admin.listTopics().names()).contains(wide.name())) {
                get(admin.createTopics(List.of(wide)).all());
            } else if (!isEmpty(admin, wide.name(), partitions)) {
                throw new IllegalStateException("there is a topic " + wide.name() + " already, of other partitions or "
                        + "with something in it: no generation has brought it, so delete it if nobody needs it");
            }
        }
    }

    private static boolean isEmpty(Admin admin, String log, int partitions) throws InterruptedException {
        if (describe(admin, log).partitions().size() != partitions) {
            return false;
        }
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        partitions(log, partitions).forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        return get(admin.listOffsets(latest).all()).values().stream().allMatch(end -> end.offset() == 0);
    }

    /** @throws IllegalArgumentException saying what is possible */
    public static void expectPossible(int narrow, int wide) {
        if (wide <= narrow || wide % narrow != 0 || wide > MAX_PARTITIONS) {
            throw new IllegalArgumentException("the log has " + narrow + " partitions: it can grow to a multiple of "
                    + "them, such as " + 2 * narrow + " or " + 3 * narrow + ", up to " + MAX_PARTITIONS + "; not to "
                    + wide);
        }
    }

    /** How the log of a generation comes from the one that is copied into it. */
    public Widening wideningOf(GenerationRecord record) throws InterruptedException {
        try (Admin admin = Admin.create(clientConfig)) {
            return new Widening(describe(admin, record.copiedFrom()).partitions().size(),
                    describe(admin, record.log()).partitions().size());
        }
    }

    /** Whether Kafka knows how far the former log is copied into that of a generation, in all partitions. */
    public boolean isPlaceKnown(GenerationRecord record) throws InterruptedException {
        try (Admin admin = Admin.create(clientConfig)) {
            int partitions = describe(admin, record.copiedFrom()).partitions().size();
            var known = get(admin.listConsumerGroupOffsets(record.generation().copier())
                    .partitionsToOffsetAndMetadata());
            return partitions(record.copiedFrom(), partitions).stream().allMatch(part -> known.get(part) != null);
        }
    }

    /**
     * Looks for the copies of the markers with which a generation is promoted.
     *
     * @param promoted its markers stand in the former log
     * @return their offsets, by partition of its own log; null while they are not all there
     */
    public List<Long> markers(GenerationRecord promoted) throws InterruptedException {
        Widening widening = wideningOf(promoted);
        List<TopicPartition> sources = partitions(promoted.copiedFrom(), widening.narrow());
        var found = new ArrayList<Long>();
        try (var consumer = consumer(); Admin admin = Admin.create(clientConfig)) {
            var times = new ArrayList<Long>();
            for (TopicPartition source : sources) {
                times.add(timeAt(consumer, source, promoted.ends().get(source.partition())));
            }
            for (TopicPartition wide : partitions(promoted.log(), widening.wide())) {
                int from = widening.sourceOf(wide.partition());
                var first = new LogPlace(Generation.numberOf(promoted.copiedFrom()), from, promoted.ends().get(from));
                long begin = get(admin.listOffsets(Map.of(wide, OffsetSpec.forTimestamp(times.get(from)))).all())
                        .get(wide).offset();
                long marker = begin < 0 ? -1 : find(consumer, wide, begin, promoted.number(), first);
                if (marker < 0) {
                    return null;
                }
                found.add(marker);
            }
        }
        return found;
    }

    private static List<TopicPartition> partitions(String topic, int count) {
        var all = new ArrayList<TopicPartition>();
        for (int partition = 0; partition < count; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        return all;
    }

    /** The time of a marker. What carries no later one cannot stand before the first record that does. */
    private static long timeAt(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long offset) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadlineNs < 0) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() == offset) {
                    return record.timestamp();
                }
            }
        }
        throw new Unanswered("offset " + offset + " of " + partition + " cannot be read", null);
    }

    /** @return its offset; -1 if it is not there up to the end */
    private static long find(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long begin, int number,
            LogPlace first) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, begin);
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (consumer.position(partition) < end) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new Unanswered("the markers in " + partition + " were not found within "
                        + PATIENCE.toSeconds() + " s", null);
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (isMarker(record, number, first)) {
                    return record.offset();
                }
            }
        }
        return -1;
    }

    private static boolean isMarker(ConsumerRecord<byte[], byte[]> record, int number, LogPlace first) {
        LogPlace place = PlaceHeader.read(record.headers());
        // The former log may be a copy itself, but its markers stood nowhere before.
        if (!first.equals(place) || record.value() == null) {
            return false;
        }
        try {
            return CommandJson.read(record.value()) instanceof GenerationPromoted promoted
                    && promoted.generation() == number;
        } catch (BadInputException _) {
            return false;
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new Unanswered("Kafka refused: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new Unanswered("Kafka did not answer within " + PATIENCE.toSeconds() + " s", e);
        }
    }
}
