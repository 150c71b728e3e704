package dev.laurel.processors.generation;

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
 * The progress of a group in a topic, and the records between two offsets of the topic. Offsets alone do not show that a group has
 * processed everything: markers of transactions and aborted records occupy offsets, too, and a group that starts before them never
 * commits offsets beyond them. So where a group does not advance although it is not at the end, the remaining records are read.
 * Thread-safe.
 */
public final class GroupProgress implements AutoCloseable {

    /** A range with more records is not examined: the caller lets the other side catch up first. */
    static final int MAX_RECORDS = 100_000;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LOOK_AGAIN_MS = 100;

    /** An open transaction may block for longer; the check is repeated. */
    private static final Duration PROBE = Duration.ofSeconds(2);

    /**
     * The keys of the records in a range of offsets.
     *
     * @param keys of the records
     * @param hasOthers whether a record without key is among them: a tick or a marker, which may concern any user
     * @param isTooLong whether there are more records than are examined, so that any key may be among them
     */
    public record RecordKeys(Set<Bytes> keys, boolean hasOthers, boolean isTooLong) {

        static final RecordKeys EMPTY = new RecordKeys(Set.of(), false, false);

        public boolean isEmpty() {
            return keys.isEmpty() && !hasOthers && !isTooLong;
        }
    }

    private final GenerationResources resources;
    private final String group;
    private final String topic;
    private final int partitions;
    private final Duration patience;
    private final Map<String, Object> config;

    /** Created when records are read for the first time. Guarded by this. */
    private KafkaConsumer<byte[], byte[]> consumer;

    /**
     * @param resources closed by its owner
     * @param isolation of the group's reads
     * @param patience with a broker that does not answer
     */
    GroupProgress(Map<String, Object> clientConfig, GenerationResources resources, String group, String topic,
            int partitions,
            IsolationLevel isolation, Duration patience) {
        this.resources = resources;
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

    /** The committed offsets, 0 where the group has not begun. In the order of partitions. */
    public List<Long> committed() throws InterruptedException {
        return resources.committed(group, topic, partitions);
    }

    /** The offsets after the last record of each partition, open transactions included. In the order of partitions. */
    public List<Long> ends() throws InterruptedException {
        return resources.ends(topic, partitions);
    }

    /** Whether the group has processed everything before these offsets. Asks once. @param ends by partition */
    public boolean isDone(List<Long> ends) throws InterruptedException {
        return isDone(committed(), ends);
    }

    /** Whether the group has processed everything up to and including the records at these offsets. Asks once. */
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

    /** Waits until the group has processed everything that is in the topic now. @return false if that took too long */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(System.nanoTime() + timeout.toNanos(), _ -> {});
    }

    /** Called with each state of the group. */
    interface Observer {

        /** @param committed by partition */
        void committed(List<Long> committed);
    }

    boolean await(long deadlineNs, Observer observer) throws InterruptedException {
        List<Long> ends = ends();
        List<Long> before = null;
        while (true) {
            List<Long> committed = committed();
            observer.committed(committed);
            // While the group advances, the remaining records are not worth reading.
            if ((hasReached(committed, ends) || committed.equals(before)) && isDone(committed, ends)) {
                observer.committed(ends);
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

    /** Whether no record is between two offsets; false also while that is unknown because a transaction is open. */
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

    /** The records between two offsets, in either order; the lower offset is included, the higher one is not. */
    public synchronized RecordKeys between(int partition, long one, long other) {
        long from = Math.min(one, other);
        long to = Math.max(one, other);
        if (from == to) {
            return RecordKeys.EMPTY;
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
                return new RecordKeys(Set.of(), true, true);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("Kafka does not let " + read + " be read up to offset " + to);
            }
        }
        return new RecordKeys(keys, hasOthers, false);
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
