package dev.laurel.platform.kafka;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.platform.kafka.ArchivedVersions.Chunk;
import dev.laurel.platform.kafka.ArchivedVersions.Index;
import dev.laurel.platform.kafka.ArchivedVersions.Place;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.UnknownVersionException;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads archived versions of rulesets from {@code laurel.ruleset-archive}, one chunk at a time, when one of them is needed, and keeps
 * the chunks that were read last. Thread-safe.
 */
final class RulesetArchive implements AutoCloseable {

    private static final long MAX_KEPT_BYTES = 16 * 1024 * 1024;
    private static final int ENTRY_BYTES = 500;

    private final Records records;
    private final AtomicLong reads = new AtomicLong();
    private final Cache<Long, Chunk> chunks = Caffeine.newBuilder().maximumWeight(MAX_KEPT_BYTES)
            .weigher((Long _, Chunk chunk) -> ENTRY_BYTES + chunk.weight()).executor(Runnable::run).build();

    /** The records of the archive. */
    interface Records extends AutoCloseable {

        /**
         * @param key that the record must have
         * @throws IllegalStateException if the archive has no such record there, or does not answer
         */
        byte[] read(RulesetKey key, long offset);

        @Override
        default void close() {}
    }

    RulesetArchive(Records records) {
        this.records = records;
    }

    static RulesetArchive of(Map<String, Object> clientConfig) {
        return new RulesetArchive(new KafkaRecords(clientConfig));
    }

    /** A version as it is stored in the archive; null if it is not archived. */
    byte @Nullable [] stored(RulesetKey key, Index index) {
        Place place = index.find(key.version());
        return place == null
                ? null
                : chunks.get(place.offset(), offset -> read(new RulesetKey(key.tenant(), place.first()), offset))
                        .stored(key.version());
    }

    private Chunk read(RulesetKey first, long offset) {
        reads.incrementAndGet();
        return new Chunk(records.read(first, offset));
    }

    /** The number of chunks that were read so far. */
    long reads() {
        return reads.get();
    }

    @Override
    public void close() {
        records.close();
    }

    /** Reads records from Kafka, with a consumer that is created for the first one. */
    private static final class KafkaRecords implements Records {

        private static final TopicPartition PARTITION = new TopicPartition(Topics.RULESET_ARCHIVE.name(), 0);
        private static final Duration POLL = Duration.ofMillis(200);
        private static final Duration TIMEOUT = Duration.ofSeconds(15);

        private final Map<String, Object> config;
        private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
        private volatile boolean isClosed;

        KafkaRecords(Map<String, Object> clientConfig) {
            config = new HashMap<>(clientConfig);
            // The index was committed, and so was the record, whose partition may still wait for the end of the transaction.
            config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
            config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
            // Nothing but the record: a broker returns the first one however long it is.
            config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
        }

        @Override
        public synchronized byte[] read(RulesetKey key, long offset) {
            if (isClosed) {
                throw new IllegalStateException("the archive of rulesets is closed");
            }
            KafkaConsumer<byte[], byte[]> reader = consumer;
            if (reader == null) {
                reader = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                consumer = reader;
            }
            try {
                reader.assign(List.of(PARTITION));
                reader.seek(PARTITION, offset);
                long startedNs = System.nanoTime();
                while (System.nanoTime() - startedNs < TIMEOUT.toNanos()) {
                    for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                        return valueOf(record, key, offset);
                    }
                }
            } catch (InvalidOffsetException e) {
                throw new IllegalStateException(missing(key, offset), e);
            } finally {
                reader.assign(List.of()); // drops what was fetched
            }
            throw new UnknownVersionException(key.version(), TIMEOUT);
        }

        private static byte[] valueOf(ConsumerRecord<byte[], byte[]> record, RulesetKey key, long offset) {
            if (record.offset() != offset || record.key() == null || record.value() == null || !Topics.RULESET_ARCHIVE
                    .key().deserializer().deserialize(record.topic(), record.key()).equals(key)) {
                throw new IllegalStateException(missing(key, offset));
            }
            return record.value();
        }

        private static String missing(RulesetKey key, long offset) {
            return PARTITION.topic() + " does not have at offset " + offset + " the versions of the ruleset of tenant '"
                    + key.tenant() + "' from " + key.version()
                    + " on: its records were deleted, or it was restored without their offsets";
        }

        @Override
        public void close() {
            isClosed = true;
            KafkaConsumer<byte[], byte[]> reader = consumer;
            if (reader != null) {
                reader.wakeup(); // ends a read in progress
                synchronized (this) {
                    reader.close(CloseOptions.timeout(Duration.ZERO));
                }
            }
        }
    }
}
