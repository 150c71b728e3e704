package dev.laurel.delivery.runtime;

import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
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
import org.apache.kafka.streams.StreamsConfig;

/** The settings of delivery. Settings that begin with {@link KafkaAccess#PREFIX} say how to reach Kafka. */
public final class DeliveryConfig extends StreamsSettings {

    public static final String STALE_AFTER_MS = "stale.after.ms";
    public static final String ALLOW_PRIVATE_WEBHOOKS = "allow.private.webhooks";
    public static final String PUBLIC_URL = "public.url";
    public static final String MAX_WEBHOOK_CONNECTIONS = "webhook.connections.max";
    public static final String MAX_CONNECTIONS_PER_WEBHOOK = "webhook.connections.each.max";

    /** The id of the Streams application, which begins the names of its changelog topics: durable data. */
    public static final String APPLICATION_ID = "laurel-delivery";

    /** The time for which the log of deliveries is kept ({@code docs/webhooks.md} §1). */
    public static final Duration LOG_KEPT = DeliveryLog.KEPT;

    /** How late at most a delivery starts that is due. */
    static final Duration ACTIVE_WAIT = Duration.ofMillis(20);

    private static final ConfigDef SETTINGS = define(1, 1000)
            .define(
                    STALE_AFTER_MS,
                    Type.LONG,
                    Duration.ofHours(24).toMillis(),
                    Range.between(1, LOG_KEPT.toMillis()),
                    Importance.MEDIUM,
                    "Events and messages that are older are not sent: imports and replays are silent.")
            .define(
                    ALLOW_PRIVATE_WEBHOOKS,
                    Type.BOOLEAN,
                    false,
                    Importance.MEDIUM,
                    "Whether webhooks and mail servers may be at private, loopback and link-local addresses.")
            .define(
                    PUBLIC_URL,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "Base URL of this instance for links in emails; empty: emails have no such link.")
            .define(
                    MAX_WEBHOOK_CONNECTIONS,
                    Type.INT,
                    1_024,
                    Range.between(1, 100_000),
                    Importance.LOW,
                    "Connections to webhooks, of all processes together; every process needs the same value.")
            .define(
                    MAX_CONNECTIONS_PER_WEBHOOK,
                    Type.INT,
                    32,
                    Range.between(1, 10_000),
                    Importance.LOW,
                    "Connections to one webhook, of all processes together; every process needs the same value.");

    private final AbstractConfig settings = values();

    /** @throws org.apache.kafka.common.config.ConfigException naming the setting that is missing or out of range */
    public DeliveryConfig(Map<String, ?> values) {
        super(SETTINGS, values);
    }

    Duration staleAfter() {
        return Duration.ofMillis(settings.getLong(STALE_AFTER_MS));
    }

    public boolean allowsPrivateWebhooks() {
        return settings.getBoolean(ALLOW_PRIVATE_WEBHOOKS);
    }

    /** The limits in flight, of all processes together and of one webhook. */
    InFlightLimits webhookLimits() {
        return new InFlightLimits(
                settings.getInt(MAX_WEBHOOK_CONNECTIONS), settings.getInt(MAX_CONNECTIONS_PER_WEBHOOK));
    }

    /** Without a slash at the end; empty if it is not set. */
    public String publicUrl() {
        String url = settings.getString(PUBLIC_URL);
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** The Streams properties of this node. Only committed records are read, so that nothing is sent that did not happen. */
    Properties streamsProperties(NodeId node) {
        Properties properties = properties(APPLICATION_ID, settings.getInt(COMMIT_INTERVAL_MS));
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        properties.put(StreamsConfig.POLL_MS_CONFIG, AdaptivePollWait.LONGEST.toMillis());
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        putProducer(properties, Map.of(ProducerConfig.LINGER_MS_CONFIG, 5));
        putConsumer(properties, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"));
        return node.addedTo(properties);
    }
}
