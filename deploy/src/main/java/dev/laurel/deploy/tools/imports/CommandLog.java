package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.TableLook;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The log of one cluster as tools see it, {@code laurel.commands} or the wider one that it has grown to: which it is, how many partitions it has, how far they
 * reach, and which entries of an import lie in them already.
 *
 * @param topic its name
 * @param topicId no other topic, of this or another cluster, has it
 */
record CommandLog(KafkaAccess kafka, String topic, Uuid topicId, int partitions) {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** @throws CommandFailed if the cluster does not answer or has no such topic */
    static CommandLog find(KafkaAccess kafka) {
        String bootstrapServers = kafka.bootstrapServers();
        KafkaOptions.expectReachable(bootstrapServers);
        Map<String, Object> config = kafka
                .with(Map.of(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis(),
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
        String name = Topics.COMMANDS.name();
        try (Admin admin = Admin.create(config)) {
            if (admin.listTopics().names().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .contains(Topics.GENERATIONS.name())) {
                // What is written to the log before is copied into this one, as long as nobody ends that.
                name = TableLook.atGenerations(kafka, generations -> generations.inForce().log());
            }
            TopicDescription topic = admin.describeTopics(List.of(name)).allTopicNames()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).get(name);
            return new CommandLog(kafka, name, topic.topicId(), topic.partitions().size());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new CommandFailed("Kafka at " + bootstrapServers + " has no topic " + name
                        + "; start Laurel once, or run 'laurel topics create'", e);
            }
            throw new CommandFailed("Kafka at " + bootstrapServers + ": " + e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new CommandFailed("Kafka at " + bootstrapServers + " does not answer: " + e.getMessage(), e);
        } catch (KafkaException e) {
            throw KafkaOptions.unusable(kafka, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while asking Kafka", e);
        }
    }

    /** No other log has it. */
    String id() {
        return topicId.toString();
    }

    long[] beginningOffsets() {
        return offsets(consumer -> consumer.beginningOffsets(topicPartitions(), TIMEOUT));
    }

    long[] endOffsets() {
        return offsets(consumer -> consumer.endOffsets(topicPartitions(), TIMEOUT));
    }

    private long[] offsets(Function<KafkaConsumer<byte[], byte[]>, Map<TopicPartition, Long>> ask) {
        try (var consumer = consumer()) {
            consumer.assign(topicPartitions());
            Map<TopicPartition, Long> offsets = ask.apply(consumer);
            return topicPartitions().stream().mapToLong(offsets::get).toArray();
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    /**
     * Reads the log from {@code offsets} to its present end and finds which entries of an import behind {@code base} are
     * there: bit n stands for entry {@code base} + n.
     */
    BitSet writtenSince(long importId, long base, long[] offsets) {
        var written = new BitSet();
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = topicPartitions();
            consumer.assign(partitions);
            for (TopicPartition partition : partitions) {
                consumer.seek(partition, offsets[partition.partition()]);
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
            long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                var records = consumer.poll(Duration.ofMillis(200));
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    ImportMark mark = ImportMark.read(record.headers());
                    if (mark != null && mark.importId() == importId && mark.number() > base) {
                        written.set(Math.toIntExact(mark.number() - base));
                    }
                }
                deadlineNs = records.isEmpty() ? deadlineNs : System.nanoTime() + TIMEOUT.toNanos();
                if (System.nanoTime() > deadlineNs) {
                    throw new CommandFailed(
                            "Kafka at " + kafka.bootstrapServers() + " does not let " + topic + " be read");
                }
            }
            return written;
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private CommandFailed unreadable(KafkaException e) {
        return new CommandFailed("cannot read " + topic + " at " + kafka.bootstrapServers() + ": " + e.getMessage(), e);
    }

    private List<TopicPartition> topicPartitions() {
        var all = new ArrayList<TopicPartition>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        return all;
    }

    /** Reads uncommitted: what an import wrote is no transaction, and must not hide behind someone else's. */
    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(kafka.with(Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest", ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_uncommitted")), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
