package dev.laurel.processors;

import dev.laurel.processors.fault.LedgerFaults;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
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
 * Settings of delivery, each declared once; the Streams settings that follow from them are made here. What starts with
 * {@link KafkaAccess#PREFIX} says how Kafka is reached.
 */
public final class DeliveryConfig {

    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String STATE_DIR = "state.dir";
    public static final String THREADS = "threads";
    public static final String STANDBYS = "standbys";
    public static final String REPLICATION = "replication";
    public static final String MIN_IN_SYNC = "min.in.sync";
    public static final String COMMIT_INTERVAL_MS = "commit.interval.ms";
    public static final String ROCKSDB_BYTES = "rocksdb.bytes";
    public static final String STALE_AFTER_MS = "stale.after.ms";
    public static final String ALLOW_PRIVATE_WEBHOOKS = "allow.private.webhooks";
    public static final String PUBLIC_URL = "public.url";
    public static final String ADVERTISED = "advertised";

    /** Of the Streams application, and so of its changelog topics: durable data. */
    public static final String APPLICATION_ID = "laurel-delivery";

    /** How long the log of deliveries is kept (webhooks.md §1). */
    public static final Duration LOG_KEPT = Duration.ofDays(7);

    /** A result waits so long at most to be read by its task. */
    private static final int POLL_MS = 20;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(BOOTSTRAP_SERVERS, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH,
                    "Where Kafka is: host:port, several by commas.")
            .define(STATE_DIR, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, Importance.HIGH, "Folder of the stores.")
            .define(THREADS, Type.INT, 1, Range.between(1, 64), Importance.MEDIUM,
                    "Stream threads; what is sent has threads of its own.")
            .define(STANDBYS, Type.INT, 0, Range.between(0, 5), Importance.MEDIUM,
                    "Copies of each store on other processes.")
            .define(REPLICATION, Type.INT, -1, Importance.MEDIUM,
                    "Replication of internal topics; -1: the broker's default.")
            .define(MIN_IN_SYNC, Type.INT, -1, Importance.MEDIUM,
                    "Copies of internal topics that must have a record before it counts; -1: the broker's default.")
            .define(COMMIT_INTERVAL_MS, Type.INT, 1000, Range.between(10, 60_000), Importance.LOW,
                    "How much is read and sent again after a failure.")
            .define(ROCKSDB_BYTES, Type.LONG, BoundedRocksDb.DEFAULT_MEMORY_BYTES, Range.atLeast(16L * 1024 * 1024),
                    Importance.MEDIUM,
                    "Memory for RocksDB, all stores of the process together: applications that share "
                            + "a process share it, and must be told the same.")
            .define(STALE_AFTER_MS, Type.LONG, Duration.ofHours(24).toMillis(), Range.between(1, LOG_KEPT.toMillis()),
                    Importance.MEDIUM,
                    "What happened longer ago than this is told nobody: imports and replays are silent.")
            .define(ALLOW_PRIVATE_WEBHOOKS, Type.BOOLEAN, false, Importance.MEDIUM,
                    "Whether webhooks and mail servers may be at private, loopback and link-local addresses.")
            .define(PUBLIC_URL, Type.STRING, "", Importance.MEDIUM,
                    "Where users' browsers reach this instance, for links in emails; empty: emails have no such link.")
            .define(ADVERTISED, Type.STRING, "", Importance.MEDIUM,
                    "host:port under which other deliveries reach this one's reads; empty for a single one.");

    private final AbstractConfig settings;
    private final KafkaAccess kafka;

    /** @throws org.apache.kafka.common.config.ConfigException naming the setting that is missing or out of range */
    public DeliveryConfig(Map<String, ?> values) {
        this.settings = new AbstractConfig(SETTINGS, values, false);
        this.kafka = KafkaAccess.of(values);
    }

    public Map<String, Object> clientProperties() {
        return kafka.clientProperties();
    }

    public Duration staleAfter() {
        return Duration.ofMillis(settings.getLong(STALE_AFTER_MS));
    }

    public boolean allowsPrivateWebhooks() {
        return settings.getBoolean(ALLOW_PRIVATE_WEBHOOKS);
    }

    /** Without a slash at the end; empty if there is none. */
    public String publicUrl() {
        String url = settings.getString(PUBLIC_URL);
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** What Kafka Streams is told on this node. Only what is committed is read: nothing that did not happen goes out. */
    public Properties streamsProperties(NodeId node) {
        var streams = new Properties();
        streams.putAll(kafka.clientProperties());
        streams.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION_ID);
        streams.put(StreamsConfig.STATE_DIR_CONFIG, settings.getString(STATE_DIR));
        streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.getInt(THREADS));
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.getInt(STANDBYS));
        streams.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, settings.getInt(REPLICATION));
        if (settings.getInt(MIN_IN_SYNC) > 0) {
            streams.put(StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                    settings.getInt(MIN_IN_SYNC).toString());
        }
        if (!settings.getString(ADVERTISED).isEmpty()) {
            streams.put(StreamsConfig.APPLICATION_SERVER_CONFIG, settings.getString(ADVERTISED));
        }
        streams.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, settings.getInt(COMMIT_INTERVAL_MS));
        streams.put(StreamsConfig.POLL_MS_CONFIG, POLL_MS);
        streams.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        streams.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        streams.put(BoundedRocksDb.MEMORY_BYTES, settings.getLong(ROCKSDB_BYTES).toString());
        streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        streams.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, LedgerFaults.Production.class);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        streams.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), Topics.MAX_RECORD_BYTES);
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topics.MAX_RECORD_BYTES));
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), "CreateTime");
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), node.value());
        TakeOver.putStreams(streams);
        return streams;
    }
}
