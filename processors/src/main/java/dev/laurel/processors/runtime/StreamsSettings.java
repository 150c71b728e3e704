package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Topics;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The settings that all Streams applications have, and the Streams properties that follow from them. */
public final class StreamsSettings {

    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String STATE_DIR = "state.dir";
    public static final String THREADS = "threads";
    public static final String STANDBYS = "standbys";
    public static final String COMMIT_INTERVAL_MS = "commit.interval.ms";
    public static final String ROCKSDB_BYTES = "rocksdb.bytes";
    public static final String REPLICATION = "replication";
    public static final String MIN_IN_SYNC = "min.in.sync";
    public static final String ADVERTISED = "advertised";

    private final AbstractConfig settings;
    private final KafkaAccess kafka;

    /**
     * Declares the common settings, to which the caller adds its own.
     *
     * @param threads default of {@link #THREADS}
     * @param commitIntervalMs default of {@link #COMMIT_INTERVAL_MS}
     */
    public static ConfigDef define(int threads, int commitIntervalMs) {
        return new ConfigDef()
                .define(BOOTSTRAP_SERVERS, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH,
                        "Addresses of Kafka: host:port, separated by commas.")
                .define(STATE_DIR, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH,
                        "Directory of the stores; a process that keeps it restarts in seconds.")
                .define(THREADS, Type.INT, threads, Range.between(1, 64), Importance.MEDIUM,
                        "Stream threads; more threads than partitions are idle.")
                .define(STANDBYS, Type.INT, 0, Range.between(0, 5), Importance.MEDIUM,
                        "Copies of each store on other processes.")
                .define(COMMIT_INTERVAL_MS, Type.INT, commitIntervalMs, Range.between(10, 60_000), Importance.LOW,
                        "Time between commits: how much is read again after a failure.")
                .define(ROCKSDB_BYTES, Type.LONG, BoundedRocksDb.DEFAULT_MEMORY_BYTES,
                        Range.atLeast(16L * 1024 * 1024), Importance.MEDIUM,
                        "Memory for RocksDB, all stores of the process together: applications that share a process "
                                + "share it, and need the same value.")
                .define(REPLICATION, Type.INT, -1, Importance.MEDIUM,
                        "Replication factor of internal topics; -1: the broker's default.")
                .define(MIN_IN_SYNC, Type.INT, -1, Importance.MEDIUM,
                        "In-sync replicas that a write to an internal topic needs; -1: the broker's default.")
                .define(ADVERTISED, Type.STRING, "", Importance.MEDIUM,
                        "host:port under which other processes reach this one's reads; empty for a single process.");
    }

    /**
     * @param defined created by {@link #define}
     * @throws org.apache.kafka.common.config.ConfigException naming the setting that is missing or out of range
     */
    public StreamsSettings(ConfigDef defined, Map<String, ?> values) {
        this.settings = new AbstractConfig(defined, values, false);
        this.kafka = KafkaAccess.of(values);
    }

    public AbstractConfig values() {
        return settings;
    }

    public KafkaAccess kafka() {
        return kafka;
    }

    /** The properties of {@link BoundedRocksDb}. */
    Map<String, Object> rocksDb() {
        return Map.of(BoundedRocksDb.MEMORY_BYTES, settings.getLong(ROCKSDB_BYTES).toString());
    }

    /** The properties that all applications share. */
    public Properties properties(String applicationId, int commitIntervalMs) {
        var streams = new Properties();
        streams.putAll(kafka.clientProperties());
        streams.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitIntervalMs);
        streams.put(StreamsConfig.STATE_DIR_CONFIG, settings.getString(STATE_DIR));
        streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.getInt(THREADS));
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.getInt(STANDBYS));
        streams.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, settings.getInt(REPLICATION));
        streams.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        streams.putAll(rocksDb());
        streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        streams.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, FailOnProductionError.class);
        if (settings.getInt(MIN_IN_SYNC) > 0) {
            streams.put(StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                    settings.getInt(MIN_IN_SYNC).toString());
        }
        if (!settings.getString(ADVERTISED).isEmpty()) {
            streams.put(StreamsConfig.APPLICATION_SERVER_CONFIG, settings.getString(ADVERTISED));
        }
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), Topics.MAX_RECORD_BYTES);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), kafka.compression());
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topics.MAX_RECORD_BYTES));
        // Imports write years in minutes: changelogs keep what the stores keep, regardless of its time.
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), "CreateTime");
        FailoverSettings.putStreams(streams);
        return streams;
    }
}
