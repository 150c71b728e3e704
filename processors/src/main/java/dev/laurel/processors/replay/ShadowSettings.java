package dev.laurel.processors.replay;

import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.replay.Shadow.Purpose;
import dev.laurel.schemas.topic.Generation;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** What Kafka Streams is told for a shadow: that of a node, but for throughput alone, since nobody waits for an answer. */
final class ShadowSettings {

    private static final int COMMIT_INTERVAL_MS = 2_000;
    private static final long CACHE_BYTES = 128L * 1024 * 1024;
    private static final int LINGER_MS = 50;
    private static final int BATCH_BYTES = 256 * 1024;
    private static final long PRODUCER_BYTES = 64L * 1024 * 1024;
    private static final int MAX_POLL_RECORDS = 5_000;
    private static final int BUFFERED_PER_PARTITION = 10_000;
    private static final int FETCH_BYTES = 4 * 1024 * 1024;

    /** State without changelogs is lost with the membership, so that one is not given up for a pause. */
    private static final int PATIENT_SESSION_MS = 300_000;
    private static final int SESSION_MS = 45_000;
    private static final int TRANSACTION_MS = 60_000;

    private final LedgerConfig config;
    private final Generation generation;
    private final Purpose purpose;

    ShadowSettings(LedgerConfig config, Generation generation, Purpose purpose) {
        this.config = config;
        this.generation = generation;
        this.purpose = purpose;
    }

    /** Whether the ledger's stores hold changes back: users who come again before a commit are written once. */
    boolean isCached() {
        return true;
    }

    Properties ledger() {
        Properties streams = common(config.streamsProperties(generation));
        streams.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), TRANSACTION_MS);
        return streams;
    }

    Properties boards() {
        return common(config.boardsProperties(generation));
    }

    private Properties common(Properties streams) {
        streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
        streams.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, BUFFERED_PER_PARTITION);
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);
        // It answers nobody's reads by the way that nodes find each other.
        streams.remove(StreamsConfig.APPLICATION_SERVER_CONFIG);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), LINGER_MS);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), PRODUCER_BYTES);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), MAX_POLL_RECORDS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), FETCH_BYTES);
        streams.put(StreamsConfig.consumerPrefix(CommonClientConfigs.SESSION_TIMEOUT_MS_CONFIG),
                purpose == Purpose.REPORT ? PATIENT_SESSION_MS : SESSION_MS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG), 2 * PATIENT_SESSION_MS);
        return streams;
    }
}
