package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.LocalFirstConsumer;
import dev.laurel.platform.kafka.LocalRecords;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of an application that does not fetch what its process has written, see {@link LocalRecords}, and writes its changelogs at
 * the commit, see {@link CommitBatchingProducer}.
 */
public class StreamsClients implements KafkaClientSupplier {

    /** The longest wait between rounds and commits while there is work: Kafka Streams' default. */
    static final Duration ACTIVE_WAIT = Duration.ofMillis(100);

    private final LocalRecords tails;
    private final Duration activeWait;

    public StreamsClients(LocalRecords tails) {
        this(tails, ACTIVE_WAIT);
    }

    /** @param activeWait the longest wait of a thread that has work */
    public StreamsClients(LocalRecords tails, Duration activeWait) {
        this.tails = tails;
        this.activeWait = activeWait;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return KafkaClients.admin(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new CommitBatchingProducer(tails.producer(config), null);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new LocalFirstConsumer(config, tails, activeWait);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return KafkaClients.consumer(config, Map.of());
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return KafkaClients.consumer(config, Map.of());
    }
}
