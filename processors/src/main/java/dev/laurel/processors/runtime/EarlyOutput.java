package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.LocalRecords;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

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
    private static final Set<String> TRANSACTIONAL =
            Set.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);

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
        Producer<byte[], byte[]> early = tails.producer(plain);
        try {
            return new CommitBatchingProducer(tails.producer(config), early);
        } catch (RuntimeException e) {
            early.close(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        var uncommitted = new HashMap<>(config);
        uncommitted.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        return super.getConsumer(uncommitted);
    }
}
