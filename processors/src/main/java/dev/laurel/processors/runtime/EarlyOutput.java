package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.LocalRecords;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Clients of an application whose output does not wait for its transactions. The application reads uncommitted records, and writes
 * its output at once; only its changelogs and committed offsets are part of the transactions.
 *
 * <p>After a failure the output may therefore appear twice, as without transactions, but the stores are fenced. A process that was
 * suspended or cut off may have writes in flight long after others have taken over its tasks. Without a transaction these writes
 * would arrive after the writes of the others, and the next restoration, or a standby copy, would contain values of the past.
 */
public final class EarlyOutput extends StreamsClients {

    /** The settings that the plain producer lacks. It keeps the long delivery timeout, since a failed send ends the process. */
    private static final Set<String> TRANSACTIONAL = Set.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);

    private final LocalRecords tails;

    private EarlyOutput(LocalRecords tails) {
        super(tails);
        this.tails = tails;
    }

    /** Creates an application with these clients, without starting it. */
    public static KafkaStreams streams(Topology topology, Properties properties, LocalRecords tails) {
        return new KafkaStreams(topology, properties, new EarlyOutput(tails));
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        var plain = new HashMap<>(config);
        plain.keySet().removeAll(TRANSACTIONAL);
        plain.computeIfPresent(ProducerConfig.CLIENT_ID_CONFIG, (_, id) -> id + "-eager");
        Producer<byte[], byte[]> stores = super.getProducer(config);
        try {
            return new SplitProducer(stores, tails.producer(plain));
        } catch (RuntimeException e) {
            stores.close(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        var uncommitted = new HashMap<>(config);
        uncommitted.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        return super.getConsumer(uncommitted);
    }

    /**
     * Sends changelog records in transactions through one producer, and all other records at once through another. A commit waits for
     * both, so the output of a committed record has been written. Metrics are those of the changelog producer only: Kafka Streams fails
     * if two metrics have the same name. For one thread, as Kafka Streams uses producers; callbacks come one at a time.
     */
    static final class SplitProducer extends ForwardingProducer {

        private final Producer<byte[], byte[]> stores;
        private final Producer<byte[], byte[]> others;
        private final Object callbacks = new Object();

        SplitProducer(Producer<byte[], byte[]> stores, Producer<byte[], byte[]> others) {
            super(stores);
            this.stores = stores;
            this.others = others;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            Producer<byte[], byte[]> producer = isOfChangelog(record) ? stores : others;
            return producer.send(record, callback == null ? null : oneAtATime(callback));
        }

        /** Each producer calls back on a thread of its own; Kafka Streams relies on a single one. */
        private Callback oneAtATime(Callback callback) {
            return (metadata, failure) -> {
                synchronized (callbacks) {
                    callback.onCompletion(metadata, failure);
                }
            };
        }

        @Override
        public void flush() {
            others.flush();
            super.flush();
        }

        @Override
        public void commitTransaction() {
            others.flush();
            super.commitTransaction();
        }

        @Override
        public void close() {
            try (stores) {
                others.close();
            }
        }

        @Override
        public void close(Duration timeout) {
            try {
                others.close(timeout);
            } finally {
                super.close(timeout);
            }
        }
    }
}
