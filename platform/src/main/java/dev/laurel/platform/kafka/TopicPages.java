package dev.laurel.platform.kafka;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.schemas.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic of one partition on demand, newest record first, committed records only. Includes every record that was written before
 * the read.
 *
 * <p>There is no index: a read goes backwards through the topic, {@value #CHUNK} records at a time, from the end of the time asked for,
 * which the time index of the brokers finds. So any process can answer, none holds or follows anything, and neither memory nor disk of a
 * process grows with the topic. What is limited instead is the number of records that one read looks at. Thread-safe.
 */
public final class TopicPages<V> {

    /** A page ends after so many records that do not match; it may then be empty and be continued. */
    public static final int MAX_SCANNED = 50_000;

    private static final int CHUNK = 1_000;

    /** Reads at the same time; each has a consumer, and is an operator's. */
    private static final int MAX_AT_ONCE = 4;

    private static final Duration CHUNK_TIMEOUT = Duration.ofSeconds(10);

    private final Topic<?, V> topic;
    private final String name;
    private final Supplier<Consumer<byte[], byte[]>> connect;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);

    /** @param offset newer records have higher ones @param timestamp time of the record in its topic */
    public record Found<V>(long offset, Instant timestamp, V value) {}

    /** @param next where the next page begins, see {@link #page}; null: there are no more */
    public record Page<V>(List<Found<V>> records, @Nullable Long next) {}

    /** The records from the first with this time or a later one, to before the first with the other time; null: without a bound. */
    public record Range(@Nullable Instant from, @Nullable Instant to) {

        public static final Range ALL = new Range(null, null);
    }

    /** Takes the records of an export. */
    @FunctionalInterface
    public interface Sink<V, E extends Exception> {

        void take(Found<V> found) throws E;
    }

    /**
     * @param name of what the topic has, with its article, for messages: "the audit log"
     * @param connect supplies a consumer for each read, which closes it
     */
    public TopicPages(Topic<?, V> topic, String name, Supplier<Consumer<byte[], byte[]>> connect) {
        this.topic = topic;
        this.name = name;
        this.connect = connect;
    }

    /** A consumer for one read, which fails within seconds if Kafka or a topic is away. */
    public static Consumer<byte[], byte[]> connect(Map<String, Object> clientProperties) {
        return KafkaClients.consumer(
                clientProperties,
                Map.of(
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest", // For records that are deleted meanwhile.
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        CHUNK,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        (int) CHUNK_TIMEOUT.toMillis()));
    }

    /**
     * The records that match, newest first.
     *
     * @param before only records with lower offsets; null: all
     * @param limit maximum number of records
     * @throws HttpRefusal 503 if Kafka cannot be read in time, or too many others read
     */
    public Page<V> page(Range range, Predicate<V> filter, @Nullable Long before, int limit) {
        return read(range, filter, scan -> {
            var found = new ArrayList<Found<V>>();
            long end = before == null ? scan.end : Math.min(before, scan.end);
            long scanned = 0;
            while (end > scan.begin && scanned < MAX_SCANNED) {
                long begin = Math.max(scan.begin, end - CHUNK);
                for (Found<V> one : scan.chunk(begin, end)) {
                    found.add(one);
                    if (found.size() == limit) {
                        return new Page<>(found, one.offset() > scan.begin ? one.offset() : null);
                    }
                }
                scanned += end - begin;
                end = begin;
            }
            return new Page<>(found, end > scan.begin ? end : null);
        });
    }

    /** The record at this offset; null if there is none any more, or none yet. @throws HttpRefusal as {@link #page} */
    public @Nullable Found<V> find(long offset) {
        return this.<Optional<Found<V>>, RuntimeException>read(
                        Range.ALL,
                        _ -> true,
                        scan -> offset < scan.begin || offset >= scan.end
                                ? Optional.empty()
                                : scan.chunk(offset, offset + 1).stream().findFirst())
                .orElse(null);
    }

    /**
     * Passes on all records that match, newest first.
     *
     * @param max maximum number of records in the range
     * @return the number of records in the range if they are more than {@code max}; then nothing was passed on. 0 otherwise
     * @throws HttpRefusal as {@link #page}, in the middle too
     */
    public <E extends Exception> long export(Range range, Predicate<V> filter, long max, Sink<V, E> sink) throws E {
        return this.<Long, E>read(range, filter, scan -> {
            if (scan.end - scan.begin > max) {
                return scan.end - scan.begin;
            }
            for (long end = scan.end; end > scan.begin; end -= CHUNK) {
                for (Found<V> one : scan.chunk(Math.max(scan.begin, end - CHUNK), end)) {
                    sink.take(one);
                }
            }
            return 0L;
        });
    }

    private interface Reading<V, T, E extends Exception> {

        T of(Scan<V> scan) throws E;
    }

    private <T, E extends Exception> T read(Range range, Predicate<V> filter, Reading<V, T, E> reading) throws E {
        if (!free.tryAcquire()) {
            throw HttpRefusal.busy(
                    "This process serves " + MAX_AT_ONCE + " reads of " + name + ", which is its limit.");
        }
        try (var scan = new Scan<>(topic, connect.get(), range, filter)) {
            return reading.of(scan);
        } catch (KafkaException e) {
            throw HttpRefusal.busy("Kafka does not serve " + name + " now: " + e.getMessage());
        } finally {
            free.release();
        }
    }

    /** The records of a range. For one thread. */
    private static final class Scan<V> implements AutoCloseable {

        private final Topic<?, V> topic;
        private final TopicPartition partition;
        private final Consumer<byte[], byte[]> consumer;
        private final RangeReader reader;
        private final Predicate<V> filter;

        /** The first offset of the range, and the one after the last. */
        private final long begin;

        private final long end;

        Scan(Topic<?, V> topic, Consumer<byte[], byte[]> consumer, Range range, Predicate<V> filter) {
            this.topic = topic;
            this.partition = new TopicPartition(topic.name(), 0);
            this.consumer = consumer;
            this.reader = new RangeReader(consumer);
            this.filter = filter;
            try {
                consumer.assign(List.of(partition));
                long first = offset(consumer.beginningOffsets(List.of(partition)));
                long last = offset(consumer.endOffsets(List.of(partition)));
                this.begin = range.from() == null ? first : Math.max(first, offsetOf(range.from(), last));
                this.end = range.to() == null ? last : Math.min(last, offsetOf(range.to(), last));
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private long offset(Map<TopicPartition, Long> offsets) {
            return Objects.requireNonNull(offsets.get(partition), partition.toString());
        }

        /** The first record of this time or later. @param last returned if there is none */
        private long offsetOf(Instant time, long last) {
            OffsetAndTimestamp found = consumer.offsetsForTimes(Map.of(partition, Math.max(0, time.toEpochMilli())))
                    .get(partition);
            return found == null ? last : found.offset();
        }

        /** The records from an offset to before another that match, newest first. */
        List<Found<V>> chunk(long from, long until) {
            var matching = new ArrayList<Found<V>>();
            reader.seek(partition, from, until);
            reader.read(
                    CHUNK_TIMEOUT,
                    record -> {
                        V value = topic.readValue(record.value());
                        if (filter.test(value)) {
                            matching.add(new Found<>(record.offset(), Instant.ofEpochMilli(record.timestamp()), value));
                        }
                        return true;
                    },
                    () -> {});
            return matching.reversed();
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
