package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Appends single records to a topic at once, outside the transactions of the tasks. Thread-safe. */
public final class Appender implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final Supplier<String> topic;

    /** @param topic the only one that it writes to */
    public Appender(Map<String, Object> clientConfig, String topic) {
        this(clientConfig, () -> topic);
    }

    /** @param topic asked for each record */
    public Appender(Map<String, Object> clientConfig, Supplier<String> topic) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
    }

    /** The number of partitions of the topic. */
    public int partitions() {
        return producer.partitionsFor(topic.get()).size();
    }

    /** @param atMs timestamp of the record, null for the present. @return completes when the record is stored */
    public CompletionStage<Void> append(int partition, Long atMs, byte[] value) {
        return append(partition, atMs, null, value);
    }

    /**
     * May block while the topic is not known, or memory is short.
     *
     * @param partition null: that of the key
     * @param atMs timestamp of the record, null for the present
     * @return completes when the record is stored; that it failed does not say that it was not
     */
    public CompletionStage<Void> append(Integer partition, Long atMs, byte[] key, byte[] value) {
        var appended = new CompletableFuture<Void>();
        producer.send(new ProducerRecord<>(topic.get(), partition, atMs, key, value), (_, failure) -> {
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
