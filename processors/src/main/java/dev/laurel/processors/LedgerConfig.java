package dev.laurel.processors;

import dev.laurel.processors.fault.LedgerFaults;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of a node, each declared once; the Streams settings of the ledger and the boards application that follow from
 * them are made here.
 */
public final class LedgerConfig {

    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String STATE_DIR = "state.dir";
    public static final String THREADS = "threads";
    public static final String STANDBYS = "standbys";
    public static final String COMMIT_INTERVAL_MS = "commit.interval.ms";
    public static final String LINGER_MS = "linger.ms";
    public static final String CACHE_BYTES = "cache.bytes";
    public static final String ROCKSDB_BYTES = "rocksdb.bytes";
    public static final String REPLICATION = "replication";
    public static final String MIN_IN_SYNC = "min.in.sync";
    public static final String MAX_LAG = "lag.max";
    public static final String ADVERTISED = "advertised";

    /** Of the Streams application of the first generation, and so of its changelog topics: durable data. */
    public static final String APPLICATION_ID = Generation.FIRST.ledgerApplication();

    /** Of the other Streams application of a node, that of leaderboards: durable data. */
    public static final String BOARDS_APPLICATION_ID = Generation.FIRST.boardsApplication();

    /**
     * What is read again after a failure changes nothing, so there is no hurry; but a task stands still while it commits, and
     * whoever waits for a rank then waits for that, too.
     */
    private static final int BOARDS_COMMIT_INTERVAL_MS = 5_000;

    /** A copy follows from commit to commit; one that is no further behind is restored in the blink of an eye. */
    private static final long BOARDS_RECOVERY_LAG = 100_000;

    /** What is copied is read by others when it is committed, and what they write behind it, too. */
    private static final int COPIER_COMMIT_INTERVAL_MS = 100;

    /** Before it is compressed; afterwards it is no larger than the log takes. */
    private static final int COPIED_RECORD_BYTES = 32 * 1024 * 1024;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(BOOTSTRAP_SERVERS, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH,
                    "Where Kafka is: host:port, several by commas.")
            .define(STATE_DIR, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH,
                    "Folder of the stores; a node that keeps it restarts in seconds.")
            .define(THREADS, Type.INT, 2, Range.between(1, 64), Importance.MEDIUM,
                    "Stream threads; more than partitions of users are idle.")
            .define(STANDBYS, Type.INT, 0, Range.between(0, 5), Importance.MEDIUM,
                    "Copies of each store on other nodes.")
            .define(COMMIT_INTERVAL_MS, Type.INT, 500, Range.between(10, 60_000), Importance.LOW,
                    "How often a transaction ends; answers do not wait for it.")
            .define(LINGER_MS, Type.INT, 1, Range.between(0, 100), Importance.LOW,
                    "How long the ledger's producer waits for more records to share a batch.")
            .define(CACHE_BYTES, Type.LONG, 0L, Range.atLeast(0), Importance.LOW,
                    "Memory for changes not yet written to the stores, all threads together; 0: none are held back.")
            .define(ROCKSDB_BYTES, Type.LONG, BoundedRocksDb.DEFAULT_MEMORY_BYTES, Range.atLeast(16L * 1024 * 1024),
                    Importance.MEDIUM,
                    "Memory for RocksDB, all stores of the process together: applications that share "
                            + "a process share it, and must be told the same.")
            .define(REPLICATION, Type.INT, -1, Importance.MEDIUM,
                    "Replication of internal topics; -1: the broker's default.")
            .define(MIN_IN_SYNC, Type.INT, -1, Importance.MEDIUM,
                    "Copies of internal topics that must have a record before it counts; -1: the broker's default.")
            .define(MAX_LAG, Type.LONG, 10_000L, Range.atLeast(0), Importance.MEDIUM,
                    "Records that a store may lack for its node to be ready, and for a copy that stands by to be read.")
            .define(ADVERTISED, Type.STRING, "", Importance.MEDIUM,
                    "host:port under which other nodes reach this one's reads; empty for a single node.");

    private final AbstractConfig settings;
    private final KafkaAccess kafka;

    /** @throws org.apache.kafka.common.config.ConfigException naming the setting that is missing or out of range */
    public LedgerConfig(Map<String, ?> values) {
        this.settings = new AbstractConfig(SETTINGS, values, false);
        this.kafka = KafkaAccess.of(values);
    }

    public String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    /** The folder of the stores; each application has its own in it. */
    Path stateDir() {
        return Path.of(settings.getString(STATE_DIR));
    }

    /** Whether the stores hold changes back in a record cache. */
    public boolean isCached() {
        return settings.getLong(CACHE_BYTES) > 0;
    }

    /** In records of a changelog. */
    public long maxLag() {
        return settings.getLong(MAX_LAG);
    }

    public Map<String, Object> clientProperties() {
        return kafka.clientProperties();
    }

    /** What Kafka Streams is told on this node for the ledger of a generation. */
    public Properties streamsProperties(NodeId node, Generation generation) {
        return of(node, streamsProperties(generation));
    }

    /** What Kafka Streams is told on every node for the ledger. */
    public Properties streamsProperties() {
        return streamsProperties(Generation.FIRST);
    }

    /** What Kafka Streams is told on every node for the ledger of a generation. */
    public Properties streamsProperties(Generation generation) {
        Properties streams = commonProperties(generation.ledgerApplication(), settings.getInt(COMMIT_INTERVAL_MS));
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                TakeOver.TRANSACTION_TIMEOUT_MS);
        streams.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, settings.getLong(CACHE_BYTES));
        return streams;
    }

    /**
     * What Kafka Streams is told on this node for leaderboards, beside {@link EagerClients}. Its stores lie beside the ledger's,
     * under the application's name.
     */
    public Properties boardsProperties(NodeId node, Generation generation) {
        return of(node, boardsProperties(generation));
    }

    /** What Kafka Streams is told on every node for the leaderboards of a generation, beside {@link EagerClients}. */
    public Properties boardsProperties(Generation generation) {
        Properties streams = commonProperties(generation.boardsApplication(), BOARDS_COMMIT_INTERVAL_MS);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                TakeOver.TRANSACTION_TIMEOUT_MS);
        streams.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        streams.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, BOARDS_RECOVERY_LAG);
        // The second hop of an answer: whoever waits for a rank has waited for the ledger's millisecond already.
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        return streams;
    }

    /** What Kafka Streams is told on this node for copying a log into the wider one that a generation brings. */
    public Properties copierProperties(NodeId node, Generation generation) {
        Properties streams = commonProperties(generation.copier(), COPIER_COMMIT_INTERVAL_MS);
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);
        // Whatever the log has taken is to be copied: it may have been compressed.
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "zstd");
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), COPIED_RECORD_BYTES);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), 2L * COPIED_RECORD_BYTES);
        // It keeps nothing, and nobody asks it.
        streams.remove(StreamsConfig.APPLICATION_SERVER_CONFIG);
        return of(node, streams);
    }

    private static Properties of(NodeId node, Properties streams) {
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), node.value());
        return streams;
    }

    private Properties commonProperties(String application, int commitIntervalMs) {
        var streams = new Properties();
        streams.putAll(kafka.clientProperties());
        streams.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        streams.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitIntervalMs);
        streams.put(StreamsConfig.STATE_DIR_CONFIG, settings.getString(STATE_DIR));
        streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.getInt(THREADS));
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.getInt(STANDBYS));
        streams.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, settings.getInt(REPLICATION));
        streams.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        streams.put(BoundedRocksDb.MEMORY_BYTES, settings.getLong(ROCKSDB_BYTES).toString());
        streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        streams.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, LedgerFaults.Production.class);
        if (settings.getInt(MIN_IN_SYNC) > 0) {
            streams.put(StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                    settings.getInt(MIN_IN_SYNC).toString());
        }
        if (!settings.getString(ADVERTISED).isEmpty()) {
            streams.put(StreamsConfig.APPLICATION_SERVER_CONFIG, settings.getString(ADVERTISED));
        }
        // Streams' own default lingers 100 ms: every answer would wait for it.
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), settings.getInt(LINGER_MS));
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 64 * 1024);
        // The first records after a commit are refused while the broker still writes its markers; Kafka's 100 ms between
        // attempts would be a pause of the whole pipeline twice a second.
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), Topics.MAX_RECORD_BYTES);
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topics.MAX_RECORD_BYTES));
        TakeOver.putStreams(streams);
        // Imports bring years in minutes: changelogs keep what the stores keep, whatever its time.
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), "CreateTime");
        return streams;
    }
}
