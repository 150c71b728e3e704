package dev.laurel.platform.kafka;

import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets.UnknownVersionException;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads single records with versions of rulesets from Kafka, with a consumer that is created for the first one. Thread-safe. */
final class VersionReader implements RulesetTable.Records {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /**
     * The offset was committed, and so was the record, whose partition may still wait for the end of a transaction. Nothing but the record
     * is fetched: a broker returns the first one however long it is.
     */
    private static final Map<String, Object> OWN = Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1, ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);

    private final Map<String, Object> clientConfig;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean isClosed;

    VersionReader(Map<String, Object> clientConfig) {
        this.clientConfig = clientConfig;
    }

    @Override
    public synchronized byte[] read(String topic, RulesetKey key, long offset) {
        if (isClosed) {
            throw new IllegalStateException("the table of rulesets is closed");
        }
        KafkaConsumer<byte[], byte[]> reader = consumer;
        if (reader == null) {
            reader = Clients.consumer(clientConfig, OWN);
            consumer = reader;
        }
        var partition = new TopicPartition(topic, 0);
        try {
            reader.assign(List.of(partition));
            reader.seek(partition, offset);
            long startedNs = System.nanoTime();
            while (System.nanoTime() - startedNs < TIMEOUT.toNanos()) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                    return valueOf(record, key, offset);
                }
            }
        } catch (InvalidOffsetException e) {
            throw new IllegalStateException(missing(topic, key, offset), e);
        } finally {
            reader.assign(List.of()); // drops what was fetched
        }
        throw new UnknownVersionException(key.version(), TIMEOUT);
    }

    private static byte[] valueOf(ConsumerRecord<byte[], byte[]> record, RulesetKey key, long offset) {
        if (record.offset() != offset || record.key() == null || record.value() == null
                || !Topics.RULESETS.key().deserializer().deserialize(record.topic(), record.key()).equals(key)) {
            throw new IllegalStateException(missing(record.topic(), key, offset));
        }
        return record.value();
    }

    private static String missing(String topic, RulesetKey key, long offset) {
        return topic + " does not have at offset " + offset + " the ruleset of tenant '" + key.tenant()
                + "' of version "
                + key.version() + ": its records were deleted, or it was restored without their offsets";
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
