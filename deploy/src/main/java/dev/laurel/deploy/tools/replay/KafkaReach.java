package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;

/**
 * How far topics reach, how far groups have come in them, and what lies in between. Offsets alone do not say that a group has
 * done everything: the marks of transactions hold offsets, too, and no group ever commits behind the last of them. One thread.
 */
final class KafkaReach implements AutoCloseable {

    /** A range with more records is not looked into: whoever compares lets the other side follow first. */
    static final int MAX_RECORDS = 100_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    /**
     * What stands in a stretch of a partition.
     *
     * @param keys of the records
     * @param hasOthers a record without key is among them: a tick or a marker, which concerns anybody
     * @param isTooLong there are more records than are looked at, so all keys may be among them
     */
    record Stretch(Set<Bytes> keys, boolean hasOthers, boolean isTooLong) {

        static final Stretch EMPTY = new Stretch(Set.of(), false, false);

        boolean isEmpty() {
            return keys.isEmpty() && !hasOthers && !isTooLong;
        }
    }

    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;

    KafkaReach(Map<String, Object> clientConfig) {
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        this.admin = Admin.create(clientConfig);
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    int partitions(String topic) {
        return consumer.partitionsFor(topic, TIMEOUT).size();
    }

    static List<TopicPartition> all(String topic, int partitions) {
        return IntStream.range(0, partitions).mapToObj(number -> new TopicPartition(topic, number)).toList();
    }

    /** The offset behind the last committed record of each partition. */
    long[] ends(String topic, int partitions) throws InterruptedException {
        return offsets(topic, partitions, OffsetSpec.latest());
    }

    /** The offset of the first record that is still there, by partition. */
    long[] beginnings(String topic, int partitions) throws InterruptedException {
        return offsets(topic, partitions, OffsetSpec.earliest());
    }

    private long[] offsets(String topic, int partitions, OffsetSpec which) throws InterruptedException {
        List<TopicPartition> all = all(topic, partitions);
        var asked = admin.listOffsets(all.stream().collect(Collectors.toMap(Function.identity(), _ -> which)),
                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all();
        var offsets = get(asked, topic);
        return all.stream().mapToLong(partition -> offsets.get(partition).offset()).toArray();
    }

    private static <T> T get(KafkaFuture<T> answer, String of) throws InterruptedException {
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailed("Kafka does not tell how far " + of + " is: " + e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new CommandFailed("Kafka did not tell within " + TIMEOUT.toSeconds() + " s how far " + of + " is", e);
        }
    }

    /** Where a group goes on in each partition, 0 where it has not begun. */
    long[] committed(String group, String topic, int partitions) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = get(
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), group);
        return all(topic, partitions).stream()
                .mapToLong(partition -> offsets.get(partition) == null ? 0 : offsets.get(partition).offset())
                .toArray();
    }

    /** The records from one offset to before another. */
    Stretch between(TopicPartition partition, long from, long to) {
        if (to <= from) {
            return Stretch.EMPTY;
        }
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
        var keys = new HashSet<Bytes>();
        boolean hasOthers = false;
        int records = 0;
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (consumer.position(partition) < to) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < to) {
                    records++;
                    hasOthers |= record.key() == null;
                    if (record.key() != null) {
                        keys.add(Bytes.wrap(record.key()));
                    }
                }
            }
            if (records > MAX_RECORDS) {
                return new Stretch(Set.of(), true, true);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new CommandFailed("Kafka does not let " + partition + " be read up to offset " + to);
            }
        }
        return new Stretch(keys, hasOthers, false);
    }

    @Override
    public void close() {
        consumer.close();
        admin.close();
    }
}
