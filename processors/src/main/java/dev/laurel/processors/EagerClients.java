package dev.laurel.processors;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * Clients of an application with transactions that nobody waits for: it reads what is not committed yet, and what it tells others
 * goes out at once, beside its transactions. In those are its changelogs and how far it has read.
 *
 * <p>So what it tells may come twice after a failure, as without transactions. But its stores are fenced: a process that was cut
 * off, or slept, still has writes on their way when others have long gone on with its tasks. Without a transaction they would
 * arrive behind what the others have written, and whoever restores the store next, or keeps a copy, would have a value of the past.
 */
public final class EagerClients implements KafkaClientSupplier {

    private static final String CHANGELOG = "-changelog";

    /** All else is the same, how long a record is tried among it: as long as there is a chance, since giving up ends the process. */
    private static final Set<String> TRANSACTIONAL = Set.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);

    /** An application with such clients, not started. */
    public static KafkaStreams streams(Topology topology, Properties properties) {
        return new KafkaStreams(topology, properties, new EagerClients());
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        var plain = new HashMap<>(config);
        plain.keySet().removeAll(TRANSACTIONAL);
        plain.computeIfPresent(ProducerConfig.CLIENT_ID_CONFIG, (_, id) -> id + "-eager");
        Producer<byte[], byte[]> stores = producer(config);
        try {
            return new EagerProducer(stores, producer(plain), CHANGELOG);
        } catch (RuntimeException e) {
            stores.close(Duration.ZERO);
            throw e;
        }
    }

    private static Producer<byte[], byte[]> producer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        var hasty = new HashMap<>(config);
        hasty.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        return consumer(hasty);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
