package dev.laurel.platform.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads records between offsets that the caller names, on the caller's thread; {@link Follower} is for what has no end. One thread, except
 * for {@link #wakeup}.
 */
public final class RangeReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private Map<TopicPartition, Long> ends = Map.of();

    /** @param clientConfig settings of all clients @param own settings of this one, which take precedence */
    public RangeReader(Map<String, ?> clientConfig, Map<String, ?> own) {
        this(KafkaClients.consumer(clientConfig, own));
    }

    /** @param consumer closed with this reader */
    public RangeReader(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** The client, for questions about topics. */
    public Consumer<byte[], byte[]> client() {
        return consumer;
    }

    /** The partitions of a topic in order; empty if there is none. */
    public List<TopicPartition> partitionsOf(String topic) {
        return KafkaClients.partitions(topic, consumer.partitionsFor(topic).size());
    }

    /** The offsets after the last records whose transactions are complete. */
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return consumer.endOffsets(partitions);
    }

    /** Sets the range. @param until the offset before which it ends */
    public void seek(TopicPartition partition, long from, long until) {
        seek(Map.of(partition, from), Map.of(partition, until));
    }

    /** Sets the ranges of partitions. */
    public void seek(Map<TopicPartition, Long> from, Map<TopicPartition, Long> until) {
        consumer.assign(from.keySet());
        from.forEach(consumer::seek);
        ends = until;
    }

    /** Moves the ends of the ranges. */
    public void extend(Map<TopicPartition, Long> until) {
        ends = until;
    }

    /** The offset that is read next, or the end of the range. */
    public long position(TopicPartition partition) {
        return Math.min(consumer.position(partition), ends.getOrDefault(partition, 0L));
    }

    /** How many offsets of all ranges together have not been read. */
    public long left() {
        return ends.entrySet().stream()
                .mapToLong(end -> end.getValue() - position(end.getKey()))
                .sum();
    }

    /** The next records of the ranges, at most those of one poll. */
    public List<ConsumerRecord<byte[], byte[]>> poll(Duration timeout) {
        var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(timeout)) {
            if (record.offset() < ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L)) {
                found.add(record);
            }
        }
        return found;
    }

    /**
     * Reads the rest of the ranges.
     *
     * @param patience how long to wait for a further record
     * @param records receives each; returns whether to go on
     * @param polled called after each poll
     * @return whether the ends were reached
     * @throws TimeoutException if no further record came in time, such as while a transaction is open
     */
    public boolean read(Duration patience, Predicate<ConsumerRecord<byte[], byte[]>> records, Runnable polled) {
        long left = left();
        long advancedNs = System.nanoTime();
        while (left > 0) {
            for (ConsumerRecord<byte[], byte[]> record : poll(POLL)) {
                if (!records.test(record)) {
                    return false;
                }
            }
            polled.run();
            long now = left();
            if (now < left) {
                advancedNs = System.nanoTime();
            } else if (System.nanoTime() - advancedNs > patience.toNanos()) {
                throw new TimeoutException("Kafka has returned no records of " + consumer.assignment() + " for "
                        + patience.toSeconds() + " s");
            }
            left = now;
        }
        return true;
    }

    /** Ends a wait with a {@code WakeupException}. Thread-safe. */
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
