package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.schemas.topic.Generation;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * What a node is started with, and the Streams properties of its applications that follow from it.
 *
 * @param commitIntervalMs time between commits of the ledger: how much is read again after a failure
 * @param maxLag records that a store may lack if its node counts as ready, or if a standby copy may be read
 * @param maxRanked participants of leaderboards in memory; further rankings are read from the store
 * @param isForThroughput whether the applications fold a long log while no client waits for an answer
 */
public record LedgerConfig(
        StreamsSettings streams, int commitIntervalMs, long maxLag, long maxRanked, boolean isForThroughput) {

    public static final int COMMIT_INTERVAL_MS = 500;
    public static final long MAX_LAG = 10_000;

    /** The id of the ledger of the first generation, which begins the names of its changelog topics: durable data. */
    public static final String APPLICATION_ID = Generation.FIRST.ledgerApplication();

    /** The id of the boards application of the first generation: durable data. */
    public static final String BOARDS_APPLICATION_ID = Generation.FIRST.boardsApplication();

    /**
     * Long, since records that are read again after a failure change nothing, while clients that wait for a rank wait for a commit, too.
     */
    private static final int BOARDS_COMMIT_INTERVAL_MS = 5_000;

    /** A copy advances with each commit. A copy within this lag is restored within moments. */
    private static final long BOARDS_RECOVERY_LAG = 100_000;

    /** Short, since copies, and records that others write after them, are read only after the commit. */
    private static final int COPIER_COMMIT_INTERVAL_MS = 100;

    /** The maximum size before compression. After compression, a record is no larger than the log accepts. */
    private static final int COPIED_RECORD_BYTES = 32 * 1024 * 1024;

    /** The usual settings. */
    public static LedgerConfig of(StreamsSettings streams) {
        return new LedgerConfig(streams, COMMIT_INTERVAL_MS, MAX_LAG, LeaderboardViews.DEFAULT_MAX_PARTICIPANTS, false);
    }

    /** The same settings for applications that fold a long log while no client waits for an answer. */
    public LedgerConfig forThroughput() {
        return new LedgerConfig(streams, commitIntervalMs, maxLag, maxRanked, true);
    }

    public Map<String, Object> clientProperties() {
        return streams.kafka().clientProperties();
    }

    /** The Streams properties of the ledger of a generation, without those of a node. */
    public Properties streamsProperties(Generation generation) {
        return tuned(commonProperties(generation.ledgerApplication(), commitIntervalMs));
    }

    /** The Streams properties of the leaderboards of a generation, without those of a node; {@link EarlyOutput} adds to them. */
    public Properties boardsProperties(Generation generation) {
        Properties properties = commonProperties(generation.boardsApplication(), BOARDS_COMMIT_INTERVAL_MS);
        properties.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, BOARDS_RECOVERY_LAG);
        return tuned(properties);
    }

    /** The Streams properties of copying a log into the wider log of a generation. */
    public Properties copierProperties(NodeId node, Generation generation) {
        Properties properties = commonProperties(generation.copier(), COPIER_COMMIT_INTERVAL_MS);
        properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);
        // Every record of the log must be accepted, and may have been compressed.
        StreamsSettings.putProducer(
                properties,
                Map.of(
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "zstd",
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        COPIED_RECORD_BYTES,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        2L * COPIED_RECORD_BYTES));
        // It has no stores that others could read.
        properties.remove(StreamsConfig.APPLICATION_SERVER_CONFIG);
        return node.addedTo(properties);
    }

    /** The properties of an application with stores. */
    private Properties tuned(Properties properties) {
        StreamsSettings.putProducer(
                properties, Map.of(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, StreamsSettings.TRANSACTION_TIMEOUT_MS));
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        properties.put(StreamsConfig.POLL_MS_CONFIG, AdaptivePollWait.LONGEST.toMillis());
        if (isForThroughput) {
            properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 2_000);
            properties.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
            StreamsSettings.putProducer(
                    properties,
                    Map.of(
                            ProducerConfig.LINGER_MS_CONFIG,
                            50,
                            ProducerConfig.BATCH_SIZE_CONFIG,
                            256 * 1024,
                            ProducerConfig.BUFFER_MEMORY_CONFIG,
                            64L * 1024 * 1024));
            StreamsSettings.putConsumer(
                    properties,
                    Map.of(
                            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                            5_000,
                            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                            4 * 1024 * 1024));
        }
        return properties;
    }

    private Properties commonProperties(String application, int intervalMs) {
        Properties properties = streams.properties(application, intervalMs);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        StreamsSettings.putProducer(
                properties,
                Map.of(
                        // Kafka Streams' default is 100 ms, for which every answer would wait.
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        64 * 1024,
                        // What comes while a request is under way shares the next one, so that batches grow with the
                        // load.
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        1,
                        // The broker refuses the first records after a commit while it still writes the markers.
                        // Kafka's 100 ms between
                        // attempts would pause the whole pipeline twice a second.
                        ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                        5));
        return properties;
    }
}
