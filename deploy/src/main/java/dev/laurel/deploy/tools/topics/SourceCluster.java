package dev.laurel.deploy.tools.topics;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads the topics from which everything else can be computed. Used by one thread. */
final class SourceCluster implements AutoCloseable {

    /** Tables that cannot be computed from the log: rulesets, keys and tenants, generations. */
    static final List<Topic<?, ?>> TABLES = List.of(Topics.RULESETS, Topics.ACCESS, Topics.GENERATIONS);

    /** Names of the log and of the wider logs of later generations. */
    private static final Pattern LOG = Pattern.compile(Pattern.quote(Topics.COMMANDS.name()) + "(-g\\d+)?");

    private final Admin admin;
    private final RangeReader reader;

    SourceCluster(KafkaAccess kafka) {
        this.admin = KafkaClients.admin(kafka);
        this.reader = new RangeReader(
                kafka.clientProperties(),
                Map.of(
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        5_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        8 * 1024 * 1024));
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

    /** Whether records of the topic are never deleted and are found by their offsets: logs, and the archive of rulesets. */
    static boolean hasOffsets(String topic) {
        return isLog(topic) || topic.equals(Topics.RULESET_ARCHIVE.name());
    }

    /** Returns the existing logs and tables, and the archive of rulesets, by name. */
    Map<String, TopicDescription> topics() {
        Set<String> names = new TreeSet<>(KafkaClients.topics(admin));
        names.removeIf(name -> !hasOffsets(name)
                && TABLES.stream().noneMatch(table -> table.name().equals(name)));
        return new TreeMap<>(KafkaClients.get(admin.describeTopics(names).allTopicNames()));
    }

    int partitionsOf(Topic<?, ?> topic) {
        return KafkaClients.describe(admin, topic.name()).partitions().size();
    }

    Map<TopicPartition, Long> begins(Collection<TopicPartition> partitions) {
        return KafkaClients.offsets(admin, partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    long begin(TopicPartition partition) {
        return begins(List.of(partition)).getOrDefault(partition, 0L);
    }

    /** Returns the offset after the last record, committed or not. */
    Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    long end(TopicPartition partition) {
        return ends(List.of(partition)).getOrDefault(partition, 0L);
    }

    /** Returns the offset after the last record whose transaction is complete. */
    Map<TopicPartition, Long> decided(Collection<TopicPartition> partitions) {
        return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /**
     * Reads the committed records of a partition in order.
     *
     * @param until offset after the last record to read; all transactions before it must be complete
     * @param position receives the position from time to time
     */
    void read(TopicPartition partition, long from, long until, Consumer<BackupRecord> records, LongConsumer position) {
        try {
            reader.seek(partition, from, until);
            reader.read(
                    TIMEOUT,
                    record -> {
                        // A record without a timestamp has a negative one, which producers cannot send; the ledger
                        // refuses both alike.
                        records.accept(new BackupRecord(
                                record.offset(),
                                Math.max(0, record.timestamp()),
                                record.key(),
                                record.value(),
                                List.of(record.headers().toArray())));
                        return true;
                    },
                    () -> position.accept(reader.position(partition)));
        } catch (TimeoutException e) {
            throw new CommandFailed(e.getMessage() + "; run the same command again to continue", e);
        } catch (KafkaException e) {
            throw new CommandFailed("cannot read " + partition + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        reader.close();
        admin.close(Duration.ofSeconds(5));
    }
}
