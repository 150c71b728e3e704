package dev.laurel.processors.stream;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;

import dev.laurel.platform.kafka.KafkaClients;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Appends single records to a topic at once, outside the transactions of the tasks. Thread-safe. */
public final class Appender implements AutoCloseable {

    private final Producer<byte[], byte[]> producer;
    private final Supplier<String> topic;

    /** @param topic the only topic that it writes to */
    public Appender(Map<String, Object> clientConfig, String topic) {
        this(clientConfig, () -> topic);
    }

    /** @param topic called for each record */
    public Appender(Map<String, Object> clientConfig, Supplier<String> topic) {
        this.producer = KafkaClients.producer(
                clientConfig, Map.of(ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.LINGER_MS_CONFIG, 0));
        this.topic = topic;
    }

    /** The number of partitions of the topic. */
    public int partitions() {
        return producer.partitionsFor(topic.get()).size();
    }

    /** Appends a record without key, see {@link #append(Integer, Long, byte[], byte[])}. */
    public CompletionStage<Void> append(int partition, @Nullable Long atMs, byte[] value) {
        return append(partition, atMs, null, value);
    }

    /**
     * Appends a record. May block until the metadata of the topic is known, or while memory is short.
     *
     * @param partition null: the partition of the key
     * @param atMs timestamp of the record; null: the present
     * @return completes when the record is stored; after a failure the record may be stored, too
     */
    public CompletionStage<Void> append(
            @Nullable Integer partition, @Nullable Long atMs, byte @Nullable [] key, byte[] value) {
        return append(partition, atMs, key, value, _ -> {
            // no headers
        });
    }

    /** Works like {@link #append(Integer, Long, byte[], byte[])}. @param stamp writes the headers */
    public CompletionStage<Void> append(
            @Nullable Integer partition,
            @Nullable Long atMs,
            byte @Nullable [] key,
            byte[] value,
            Consumer<Headers> stamp) {
        var appended = new CompletableFuture<Void>();
        var record = new ProducerRecord<byte[], byte[]>(topic.get(), partition, atMs, key, value);
        stamp.accept(record.headers());
        producer.send(record, (_, failure) -> {
            if (failure == null) {
                appended.complete(null);
            } else {
                appended.completeExceptionally(failure);
            }
        });
        return appended;
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
