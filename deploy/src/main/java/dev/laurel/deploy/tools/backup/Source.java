package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.topics.KafkaAdmin;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topics of a cluster that everything else follows from, to be read. One thread. */
final class Source implements AutoCloseable {

    /** What cannot be folded again from the log: the rules, who may call, and which generation is in force. */
    static final List<Topic<?, ?>> TABLES = List.of(Topics.RULESETS, Topics.ACCESS, Topics.GENERATIONS);

    /** The log, and wider ones that generations after the first may have. */
    private static final Pattern LOG = Pattern.compile(Pattern.quote(Topics.COMMANDS.name()) + "(-g\\d+)?");

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaAccess kafka;
    private final Admin admin;
    private KafkaConsumer<byte[], byte[]> consumer;

    /** Told of each record. */
    interface Taker {
        void take(BackedUp record);
    }

    Source(KafkaAccess kafka) {
        this.kafka = kafka;
        this.admin = KafkaAdmin.connect(kafka);
    }

    Admin admin() {
        return admin;
    }

    String cluster() {
        return KafkaAdmin.get(admin.describeCluster().clusterId());
    }

    static boolean isLog(String topic) {
        return LOG.matcher(topic).matches();
    }

    /** Logs and tables that there are, by name. */
    Map<String, TopicDescription> topics() {
        Set<String> names = new TreeSet<>(KafkaAdmin.get(admin.listTopics().names()));
        names.removeIf(name -> !isLog(name) && TABLES.stream().noneMatch(table -> table.name().equals(name)));
        return new TreeMap<>(KafkaAdmin.get(admin.describeTopics(names).allTopicNames()));
    }

    int partitionsOf(Topic<?, ?> topic) {
        return KafkaAdmin.get(admin.describeTopics(List.of(topic.name())).allTopicNames()).get(topic.name())
                .partitions().size();
    }

    static List<TopicPartition> partitionsOf(String topic, int partitions) {
        var all = new ArrayList<TopicPartition>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        return all;
    }

    Map<TopicPartition, Long> begins(List<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Behind the last record, whether it is committed or not. */
    Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Behind the last record of which it is decided whether it counts. */
    Map<TopicPartition, Long> decided(List<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec which, IsolationLevel level) {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> asked.put(partition, which));
        var offsets = new HashMap<TopicPartition, Long>();
        KafkaAdmin.get(admin.listOffsets(asked, new ListOffsetsOptions(level)).all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /**
     * Reads what counts of a partition, in order.
     *
     * @param until offset behind the last one that is wanted; of all before it, it is decided whether they count
     * @param position told now and then how far it has come
     */
    void read(TopicPartition partition, long from, long until, Taker taker, LongConsumer position) {
        try {
            if (consumer == null) {
                consumer = consumer();
            }
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long heardNs = System.nanoTime();
            long reached = from;
            while (reached < until) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < until) {
                        // A producer may leave the time out, which no producer of ours can say: both are refused as none.
                        taker.take(new BackedUp(record.offset(), Math.max(0, record.timestamp()), record.key(),
                                record.value(), List.of(record.headers().toArray())));
                    }
                }
                long now = consumer.position(partition);
                if (now > reached) {
                    reached = now;
                    heardNs = System.nanoTime();
                    position.accept(Math.min(reached, until));
                } else if (System.nanoTime() - heardNs > PATIENCE.toNanos()) {
                    throw new CommandFailed("Kafka has given nothing of " + partition + " behind offset " + reached
                            + " for " + PATIENCE.toSeconds() + " s; run the same command again to go on");
                }
            }
        } catch (KafkaException e) {
            throw new CommandFailed("cannot read " + partition + ": " + e.getMessage(), e);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        KafkaOptions.expectReachable(kafka.bootstrapServers());
        return new KafkaConsumer<>(kafka.with(Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed", ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000, ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                8 * 1024 * 1024)), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
        admin.close(Duration.ofSeconds(5));
    }
}
