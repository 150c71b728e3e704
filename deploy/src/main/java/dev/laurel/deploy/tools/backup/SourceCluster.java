package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.platform.kafka.KafkaAccess;
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

/** Reads the topics from which everything else can be computed. Used by one thread. */
final class SourceCluster implements AutoCloseable {

    /** Tables that cannot be computed from the log: rulesets, keys and tenants, generations. */
    static final List<Topic<?, ?>> TABLES = List.of(Topics.RULESETS, Topics.ACCESS, Topics.GENERATIONS);

    /** Names of the log and of the wider logs of later generations. */
    private static final Pattern LOG = Pattern.compile(Pattern.quote(Topics.COMMANDS.name()) + "(-g\\d+)?");

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final KafkaAccess kafka;
    private final Admin admin;
    private KafkaConsumer<byte[], byte[]> consumer;

    /** Receives records. */
    interface RecordConsumer {
        void take(BackupRecord record);
    }

    SourceCluster(KafkaAccess kafka) {
        this.kafka = kafka;
        this.admin = KafkaClients.admin(kafka);
    }

    Admin admin() {
        return admin;
    }

    String cluster() {
        return KafkaClients.get(admin.describeCluster().clusterId());
    }

    static boolean isLog(String topic) {
        return LOG.matcher(topic).matches();
    }

    /** Returns the existing logs and tables by name. */
    Map<String, TopicDescription> topics() {
        Set<String> names = new TreeSet<>(KafkaClients.get(admin.listTopics().names()));
        names.removeIf(name -> !isLog(name) && TABLES.stream().noneMatch(table -> table.name().equals(name)));
        return new TreeMap<>(KafkaClients.get(admin.describeTopics(names).allTopicNames()));
    }

    int partitionsOf(Topic<?, ?> topic) {
        return KafkaClients.get(admin.describeTopics(List.of(topic.name())).allTopicNames()).get(topic.name())
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

    /** Returns the offset after the last record, committed or not. */
    Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Returns the offset after the last record whose transaction is complete. */
    Map<TopicPartition, Long> decided(List<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec which, IsolationLevel level) {
        var asked = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(partition -> asked.put(partition, which));
        var offsets = new HashMap<TopicPartition, Long>();
        KafkaClients.get(admin.listOffsets(asked, new ListOffsetsOptions(level)).all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /**
     * Reads the committed records of a partition in order.
     *
     * @param until offset after the last record to read; all transactions before it must be complete
     * @param position receives the position from time to time
     */
    void read(TopicPartition partition, long from, long until, RecordConsumer consumerOfRecords,
            LongConsumer position) {
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
                        // A record without a timestamp has a negative one, which producers cannot send; the ledger
                        // refuses both alike.
                        consumerOfRecords
                                .take(new BackupRecord(record.offset(), Math.max(0, record.timestamp()), record.key(),
                                        record.value(), List.of(record.headers().toArray())));
                    }
                }
                long now = consumer.position(partition);
                if (now > reached) {
                    reached = now;
                    heardNs = System.nanoTime();
                    position.accept(Math.min(reached, until));
                } else if (System.nanoTime() - heardNs > TIMEOUT.toNanos()) {
                    throw new CommandFailed("Kafka has given nothing of " + partition + " behind offset " + reached
                            + " for " + TIMEOUT.toSeconds() + " s; run the same command again to go on");
                }
            }
        } catch (KafkaException e) {
            throw new CommandFailed("cannot read " + partition + ": " + e.getMessage(), e);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        KafkaClients.expectReachable(kafka.bootstrapServers());
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
