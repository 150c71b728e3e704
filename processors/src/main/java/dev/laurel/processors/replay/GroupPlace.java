package dev.laurel.processors.replay;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;

/**
 * How far a group has come in a topic, and what lies between two places of it. Offsets alone do not say that a group has done
 * everything: the marks of transactions and what was taken back hold offsets, too, and a group that is started in front of them
 * never commits behind them. So where a group does not move although it is not at the end, what is left is read. Thread-safe.
 */
public final class GroupPlace implements AutoCloseable {

    /** A stretch with more records is not looked into: whoever compares lets the other side follow first. */
    static final int MAX_RECORDS = 100_000;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LOOK_AGAIN_MS = 100;

    /** A transaction that stands open keeps its place for longer; it is looked at again. */
    private static final Duration PROBE = Duration.ofSeconds(2);

    /**
     * What stands in a stretch of a partition.
     *
     * @param keys of the records
     * @param hasOthers a record without key is among them: a tick or a marker, which concerns anybody
     * @param isTooLong there are more records than are looked at, so all keys may be among them
     */
    public record Stretch(Set<Bytes> keys, boolean hasOthers, boolean isTooLong) {

        static final Stretch EMPTY = new Stretch(Set.of(), false, false);

        public boolean isEmpty() {
            return keys.isEmpty() && !hasOthers && !isTooLong;
        }
    }

    private final GenerationTopics topics;
    private final String group;
    private final String topic;
    private final int partitions;
    private final Duration patience;
    private final Map<String, Object> config;

    /** Made when something has to be read for the first time. Guarded by this. */
    private KafkaConsumer<byte[], byte[]> consumer;

    /**
     * @param topics asks the brokers; its owner's
     * @param isolation that the group reads by
     * @param patience with a broker that does not answer
     */
    GroupPlace(Map<String, Object> clientConfig, GenerationTopics topics, String group, String topic, int partitions,
            IsolationLevel isolation, Duration patience) {
        this.topics = topics;
        this.group = group;
        this.topic = topic;
        this.partitions = partitions;
        this.patience = patience;
        this.config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation.toString());
    }

    public int partitions() {
        return partitions;
    }

    /** Where the group goes on in each partition, 0 where it has not begun. In the order of partitions. */
    public List<Long> committed() throws InterruptedException {
        return topics.committed(group, topic, partitions);
    }

    /** Offsets behind the last record of each partition, open transactions included. In the order of partitions. */
    public List<Long> ends() throws InterruptedException {
        return topics.ends(topic, partitions);
    }

    /** Whether the group has done all that was there before these offsets. Asks once. @param ends by partition */
    public boolean isDone(List<Long> ends) throws InterruptedException {
        return isDone(committed(), ends);
    }

    /** Whether the group has done everything up to these records, they themselves included. Asks once. */
    public boolean isBehind(List<Long> records) throws InterruptedException {
        List<Long> committed = committed();
        for (int partition = 0; partition < partitions; partition++) {
            if (committed.get(partition) <= records.get(partition)) {
                return false;
            }
        }
        return true;
    }

    private boolean isDone(List<Long> committed, List<Long> ends) {
        for (int partition = 0; partition < partitions; partition++) {
            if (!isNothingBetween(partition, committed.get(partition), ends.get(partition))) {
                return false;
            }
        }
        return true;
    }

    /** Waits until the group has done all that is there when this is called. @return false if it has not */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(System.nanoTime() + timeout.toNanos(), _ -> {});
    }

    /** What is done between two looks. */
    interface Look {

        /** @param committed by partition */
        void at(List<Long> committed);
    }

    boolean await(long deadlineNs, Look look) throws InterruptedException {
        List<Long> ends = ends();
        List<Long> before = null;
        while (true) {
            List<Long> committed = committed();
            look.at(committed);
            // While it moves, it is not worth while to look what is left.
            if ((hasReached(committed, ends) || committed.equals(before)) && isDone(committed, ends)) {
                look.at(ends);
                return true;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            before = committed;
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
    }

    private static boolean hasReached(List<Long> offsets, List<Long> ends) {
        for (int partition = 0; partition < ends.size(); partition++) {
            if (offsets.get(partition) < ends.get(partition)) {
                return false;
            }
        }
        return true;
    }

    /** False also where that cannot be said yet, because a transaction is open. */
    private synchronized boolean isNothingBetween(int partition, long from, long to) {
        if (from >= to) {
            return true;
        }
        TopicPartition read = seek(partition, from);
        long deadlineNs = System.nanoTime() + PROBE.toNanos();
        while (consumer.position(read) < to) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                return records.iterator().next().offset() >= to;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
        }
        return true;
    }

    /** The records between two offsets, in either order; the first one belongs to it, the second does not. */
    public synchronized Stretch between(int partition, long one, long other) {
        long from = Math.min(one, other);
        long to = Math.max(one, other);
        if (from == to) {
            return Stretch.EMPTY;
        }
        TopicPartition read = seek(partition, from);
        var keys = new HashSet<Bytes>();
        boolean hasOthers = false;
        int records = 0;
        long deadlineNs = System.nanoTime() + patience.toNanos();
        while (consumer.position(read) < to) {
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
                throw new IllegalStateException("Kafka does not let " + read + " be read up to offset " + to);
            }
        }
        return new Stretch(keys, hasOthers, false);
    }

    private TopicPartition seek(int partition, long offset) {
        if (consumer == null) {
            consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        var read = new TopicPartition(topic, partition);
        consumer.assign(List.of(read));
        consumer.seek(read, offset);
        return read;
    }

    @Override
    public synchronized void close() {
        if (consumer != null) {
            consumer.close();
        }
    }
}
