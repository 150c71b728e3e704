package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the audit log from {@code laurel.audit}, newest record first. Includes every record whose change was answered before the read.
 *
 * <p>There is no index: a read goes backwards through the topic, {@value #CHUNK} records at a time, from the end of the time asked for,
 * which the time index of the brokers finds. So any process can answer, none holds or follows anything, and neither memory nor disk of a
 * process grows with the log. What is limited instead is the number of records that one read looks at. Thread-safe.
 */
public final class AuditReads {

    /** A page ends after so many records that do not match; it may then be empty and be continued. */
    static final int MAX_SCANNED = 50_000;

    /** The time asked for has at most so many records in an export. */
    public static final long MAX_EXPORTED = 1_000_000;

    private static final int CHUNK = 1_000;

    /** Reads at the same time; each has a consumer, and is an operator's. */
    private static final int MAX_AT_ONCE = 4;

    /** The clocks of the processes, which set the times, differ by less; otherwise a time asked for may lack records at its end. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(5);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CHUNK_TIMEOUT = Duration.ofSeconds(10);

    private final Supplier<Consumer<byte[], byte[]>> connect;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);

    /**
     * What records to find; null: any.
     *
     * @param from first time
     * @param to the time after the last
     * @param author id or name of the author
     * @param object kind, id or name of an object
     */
    public record Filter(@Nullable Instant from, @Nullable Instant to, @Nullable String author,
            @Nullable String operation, @Nullable String object, @Nullable TenantId tenant,
            @Nullable Outcome outcome) {

        /** Finds all records. */
        public static final Filter ALL = new Filter(null, null, null, null, null, null, null);

        boolean matches(AuditRecord record) {
            return (from == null || !record.time().isBefore(from)) && (to == null || record.time().isBefore(to))
                    && (author == null || author.equals(record.author().id()) || author.equals(record.author().name()))
                    && (operation == null || operation.equals(record.operation()))
                    && (tenant == null || tenant.equals(record.tenant()))
                    && (outcome == null || outcome == record.outcome())
                    && (object == null || record.objects().stream().anyMatch(one -> object.equals(one.kind())
                            || object.equals(one.id()) || object.equals(one.name())));
        }
    }

    /** A record and its place. @param offset newer records have higher ones */
    public record Found(long offset, AuditRecord record) {}

    /** @param next where the next page begins, see {@link #page}; null: there are no more */
    public record AuditPage(List<Found> records, @Nullable Long next) {}

    /** Takes the records of an export. */
    @FunctionalInterface
    public interface Sink<E extends Exception> {

        void take(Found found) throws E;
    }

    /** @param clientProperties settings of the Kafka clients */
    public AuditReads(Map<String, Object> clientProperties) {
        this(() -> connect(clientProperties));
    }

    AuditReads(Supplier<Consumer<byte[], byte[]>> connect) {
        this.connect = connect;
    }

    private static Consumer<byte[], byte[]> connect(Map<String, Object> clientProperties) {
        var config = new HashMap<>(clientProperties);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // For records that are deleted meanwhile.
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, CHUNK);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * The records that match, newest first.
     *
     * @param before only records with lower offsets; null: all
     * @param limit maximum number of records
     * @throws NotReadyException if Kafka cannot be read in time, or too many others read
     */
    public AuditPage page(Filter filter, @Nullable Long before, int limit) {
        return read(filter, scan -> {
            var found = new ArrayList<Found>();
            long end = before == null ? scan.end : Math.min(before, scan.end);
            long scanned = 0;
            while (end > scan.begin && scanned < MAX_SCANNED) {
                long begin = Math.max(scan.begin, end - CHUNK);
                for (Found one : scan.chunk(begin, end)) {
                    found.add(one);
                    if (found.size() == limit) {
                        return new AuditPage(found, one.offset() > scan.begin ? one.offset() : null);
                    }
                }
                scanned += end - begin;
                end = begin;
            }
            return new AuditPage(found, end > scan.begin ? end : null);
        });
    }

    /**
     * Passes on all records that match, newest first.
     *
     * @return the number of records in the time asked for if they are more than {@link #MAX_EXPORTED}; then nothing was passed on. 0
     *         otherwise
     * @throws NotReadyException as {@link #page}, in the middle too
     */
    public <E extends Exception> long export(Filter filter, Sink<E> sink) throws E {
        return this.<Long, E>read(filter, scan -> {
            if (scan.end - scan.begin > MAX_EXPORTED) {
                return scan.end - scan.begin;
            }
            for (long end = scan.end; end > scan.begin; end -= CHUNK) {
                for (Found one : scan.chunk(Math.max(scan.begin, end - CHUNK), end)) {
                    sink.take(one);
                }
            }
            return 0L;
        });
    }

    private interface Reading<T, E extends Exception> {

        T of(Scan scan) throws E;
    }

    private <T, E extends Exception> T read(Filter filter, Reading<T, E> reading) throws E {
        if (!free.tryAcquire()) {
            throw new NotReadyException(
                    "This process serves " + MAX_AT_ONCE + " reads of the audit log, which is its limit.");
        }
        try (var scan = new Scan(connect.get(), filter)) {
            return reading.of(scan);
        } catch (KafkaException e) {
            throw new NotReadyException("The audit log cannot be read now: " + e.getMessage());
        } finally {
            free.release();
        }
    }

    /** The records of a time. For one thread. */
    private static final class Scan implements AutoCloseable {

        private final TopicPartition partition = new TopicPartition(Topics.AUDIT.name(), 0);
        private final Consumer<byte[], byte[]> consumer;
        private final Filter filter;

        /** The first offset of the time, and the one after the last. */
        private final long begin;
        private final long end;

        Scan(Consumer<byte[], byte[]> consumer, Filter filter) {
            this.consumer = consumer;
            this.filter = filter;
            try {
                consumer.assign(List.of(partition));
                long first = offset(consumer.beginningOffsets(List.of(partition)));
                long last = offset(consumer.endOffsets(List.of(partition)));
                this.begin = filter.from() == null ? first : Math.max(first, offsetOf(filter.from(), last));
                this.end = filter.to() == null ? last : offsetOf(filter.to().plus(MAX_CLOCK_DIFFERENCE), last);
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
        List<Found> chunk(long from, long until) {
            var matching = new ArrayList<Found>();
            consumer.seek(partition, from);
            long deadlineNs = System.nanoTime() + CHUNK_TIMEOUT.toNanos();
            while (consumer.position(partition) < until) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new NotReadyException("The audit log could not be read in time.");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < until) {
                        AuditRecord read = Topics.AUDIT.value().deserializer().deserialize(record.topic(),
                                record.value());
                        if (filter.matches(read)) {
                            matching.add(new Found(record.offset(), read));
                        }
                    }
                }
            }
            return matching.reversed();
        }

        @Override
        public void close() {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
