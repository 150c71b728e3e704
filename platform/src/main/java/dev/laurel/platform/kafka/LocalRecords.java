package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.LocalRecords.Isolation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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

    /** An own record that was fetched is acknowledged within this time, unless the machine is slow. */
    private static final long LATE_MS = 50;

    /** What a reader may see, and how far a record has come when the brokers acknowledge it. */
    public enum Isolation {

        /** Records outside transactions. */
        COMMITTED,

        /** Also records of transactions that may still be aborted. */
        UNCOMMITTED
    }

    private final Map<TopicPartition, List<Tail>> tails = new ConcurrentHashMap<>();

    /** A reader that may wait. */
    public interface Reader {

        /**
         * A record was added at the offset that the reader expects, or behind it. Must not block.
         *
         * @param isExpected whether it is at that offset
         */
        void added(boolean isExpected);
    }

    /** Begins a tail for a reader, empty. */
    public Tail follow(TopicPartition partition, Isolation isolation, Reader reader) {
        var tail = new Tail(partition, isolation, reader);
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
        private final Reader reader;
        private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
        private long bytes;
        private long expected = -1;

        /** The offsets of records that were fetched before they were added, if they ever will be, with the time. */
        private final Map<Long, Long> early = new LinkedHashMap<>();

        private Tail(TopicPartition partition, Isolation isolation, Reader reader) {
            this.partition = partition;
            this.isolation = isolation;
            this.reader = reader;
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
            long wanted;
            synchronized (this) {
                if (early.remove(stored.offset()) != null) {
                    return;
                }
                records.addLast(added);
                bytes += sizeOf(added);
                while (records.size() > MAX_RECORDS || bytes > MAX_BYTES) {
                    bytes -= sizeOf(records.removeFirst());
                }
                wanted = expected;
            }
            if (wanted >= 0 && stored.offset() >= wanted) {
                reader.added(stored.offset() == wanted);
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

        /**
         * Whether records that the reader has fetched, now or before, were written by another process. The acknowledgement of an own record
         * may come later than a fetch, so a record counts as one of others if it was not added within {@value #LATE_MS} ms.
         *
         * @param nowNs by {@link System#nanoTime}
         */
        synchronized boolean isAnyForeign(List<ConsumerRecord<byte[], byte[]>> fetched, long nowNs) {
            boolean isLate = !early.isEmpty()
                    && nowNs - early.values().iterator().next() > TimeUnit.MILLISECONDS.toNanos(LATE_MS);
            if (isLate) {
                early.clear();
                return true;
            }
            for (ConsumerRecord<byte[], byte[]> record : fetched) {
                if (!dropTo(record.offset()) && early.size() < MAX_RECORDS) {
                    early.put(record.offset(), nowNs);
                }
            }
            return false;
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
