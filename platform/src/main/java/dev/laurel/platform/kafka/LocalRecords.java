package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.LocalRecords.Isolation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The newest records that this process has written to partitions which it also reads: a consumer need not fetch them. A record is
 * added when the brokers have acknowledged it, with its offset. Readers take it only at this offset, so they see what they would have
 * fetched, in the same order; whatever others have written between is fetched as ever. Thread-safe.
 */
public final class LocalRecords {

    /** The records of one tail. A reader that is further behind fetches. */
    private static final int MAX_RECORDS = 2_000;

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    /** What a reader may see, and how far a record has come when the brokers acknowledge it. */
    public enum Isolation {

        /** Records outside transactions. */
        COMMITTED,

        /** Also records of transactions that may still be aborted. */
        UNCOMMITTED
    }

    private final Map<TopicPartition, List<Tail>> tails = new ConcurrentHashMap<>();

    /** Begins a tail for a reader, empty. @param wake called when a record that the reader expects was added; must not block */
    public Tail follow(TopicPartition partition, Isolation isolation, Runnable wake) {
        var tail = new Tail(partition, isolation, wake);
        tails.computeIfAbsent(partition, _ -> new CopyOnWriteArrayList<>()).add(tail);
        return tail;
    }

    /** A producer that adds each acknowledged record to the tails of its partition, before the callback. Thread-safe. */
    public KafkaProducer<byte[], byte[]> producer(Map<String, Object> config) {
        return new TailProducer(config, this);
    }

    /** Adds a record that was acknowledged. Called in the order of the acknowledgements of its partition. */
    public void add(ProducerRecord<byte[], byte[]> record, RecordMetadata stored, Isolation isolation) {
        List<Tail> readers = tails.get(new TopicPartition(stored.topic(), stored.partition()));
        if (readers != null && stored.hasOffset()) {
            for (Tail tail : readers) {
                if (tail.isolation == Isolation.UNCOMMITTED || isolation == Isolation.COMMITTED) {
                    tail.add(record, stored);
                }
            }
        }
    }

    /** The tail for one reader. */
    public final class Tail implements AutoCloseable {

        private final TopicPartition partition;
        private final Isolation isolation;
        private final Runnable wake;
        private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
        private long bytes;
        private long expected = -1;

        private Tail(TopicPartition partition, Isolation isolation, Runnable wake) {
            this.partition = partition;
            this.isolation = isolation;
            this.wake = wake;
        }

        private void add(ProducerRecord<byte[], byte[]> record, RecordMetadata stored) {
            var added = new ConsumerRecord<>(
                    stored.topic(),
                    stored.partition(),
                    stored.offset(),
                    stored.timestamp(),
                    TimestampType.CREATE_TIME,
                    stored.serializedKeySize(),
                    stored.serializedValueSize(),
                    record.key(),
                    record.value(),
                    new RecordHeaders(record.headers().toArray()),
                    Optional.empty());
            boolean isExpected;
            synchronized (this) {
                records.addLast(added);
                bytes += sizeOf(added);
                while (records.size() > MAX_RECORDS || bytes > MAX_BYTES) {
                    bytes -= sizeOf(records.removeFirst());
                }
                isExpected = stored.offset() == expected;
            }
            if (isExpected) {
                wake.run();
            }
        }

        private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
            return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        }

        /** Takes the records at an offset and right after it; empty if the tail does not have the first of them. */
        public synchronized List<ConsumerRecord<byte[], byte[]>> take(long offset) {
            if (!dropTo(offset)) {
                return List.of();
            }
            var taken = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            for (long next = offset; !records.isEmpty() && records.getFirst().offset() == next; next++) {
                bytes -= sizeOf(records.getFirst());
                taken.add(records.removeFirst());
            }
            return taken;
        }

        /** The reader waits for the record at an offset. @return whether the tail has it */
        public synchronized boolean expect(long offset) {
            expected = offset;
            return dropTo(offset);
        }

        /** Drops the records before an offset. @return whether there is one at the offset */
        private boolean dropTo(long offset) {
            while (!records.isEmpty() && records.getFirst().offset() < offset) {
                bytes -= sizeOf(records.removeFirst());
            }
            return !records.isEmpty() && records.getFirst().offset() == offset;
        }

        public synchronized boolean isEmpty() {
            return records.isEmpty();
        }

        @Override
        public void close() {
            tails.computeIfPresent(partition, (_, readers) -> {
                readers.remove(this);
                return readers.isEmpty() ? null : readers;
            });
        }
    }

    private static final class TailProducer extends KafkaProducer<byte[], byte[]> {

        private final LocalRecords tails;
        private final Isolation isolation;

        TailProducer(Map<String, Object> config, LocalRecords tails) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
            this.tails = tails;
            this.isolation = config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) == null
                    ? Isolation.COMMITTED
                    : Isolation.UNCOMMITTED;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            return super.send(record, (stored, failure) -> {
                if (failure == null) {
                    tails.add(record, stored, isolation);
                }
                if (callback != null) {
                    callback.onCompletion(stored, failure);
                }
            });
        }
    }
}
