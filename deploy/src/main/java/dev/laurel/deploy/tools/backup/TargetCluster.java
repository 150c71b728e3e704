package dev.laurel.deploy.tools.backup;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes records in order and checks that each gets its offset. Used by one thread. */
final class TargetCluster implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final int REQUEST_BYTES = 5 * 1024 * 1024;

    private final KafkaProducer<byte[], byte[]> producer;

    /** The first failure, set by the producer's thread. */
    private final AtomicReference<@Nullable CommandFailed> failure = new AtomicReference<>();

    TargetCluster(KafkaAccess kafka) {
        this.producer = new KafkaProducer<>(kafka.with(Map.of(ProducerConfig.CLIENT_ID_CONFIG, "laurel-restore",
                ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES, ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024,
                ProducerConfig.LINGER_MS_CONFIG, 20, ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4")),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Returns when the record is in the buffer.
     *
     * @param offset offset that the record must get
     */
    void send(TopicPartition partition, BackupRecord record, long offset) {
        expectNoFailure();
        try {
            producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), record.timestampMs(),
                    record.key(), record.value(), record.headers()), (written, refusal) -> {
                        if (refusal != null) {
                            failure.compareAndSet(null, new CommandFailed(
                                    "Kafka refused " + partition + "@" + offset + ": " + refusal.getMessage(),
                                    refusal));
                        } else if (written.offset() != offset) {
                            failure.compareAndSet(null, new CommandFailed("a record of " + partition + " got offset "
                                    + written.offset() + " instead of " + offset
                                    + ": another client writes to this cluster. Stop it, and begin again with an empty cluster"));
                        }
                    });
        } catch (KafkaException e) {
            throw new CommandFailed("cannot write to " + partition + ": " + e.getMessage(), e);
        }
    }

    /** Waits until all records are written at their offsets. */
    void flush() {
        producer.flush();
        expectNoFailure();
    }

    private void expectNoFailure() {
        CommandFailed failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
