package dev.laurel.platform.kafka;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;

/**
 * Connection settings for Kafka: the bootstrap servers and the settings that all clients and Streams applications
 * share, such as {@code security.protocol}, {@code sasl.*} and {@code ssl.*}. Only settings that the admin client, the
 * producer and the consumer have in common are accepted. Settings of a single kind of client (acknowledgements, groups,
 * isolation, transactions, serializers) affect correctness and are refused. Secrets are held as Kafka {@code Password}
 * objects, which do not print their values. Immutable.
 *
 * @param bootstrapServers comma-separated list of host:port
 * @param further settings of the Kafka clients by name
 */
public record KafkaAccess(String bootstrapServers, Map<String, ?> further) {

    private static final String BOOTSTRAP_SERVERS = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
    private static final Map<String, ConfigKey> ADMIN =
            AdminClientConfig.configDef().configKeys();
    private static final Map<String, ConfigKey> PRODUCER =
            ProducerConfig.configDef().configKeys();
    private static final Map<String, ConfigKey> CONSUMER =
            ConsumerConfig.configDef().configKeys();

    /** Settings that all clients have and that only Laurel may set. */
    private static final Set<String> OWN =
            Set.of(CommonClientConfigs.CLIENT_ID_CONFIG, AbstractConfig.CONFIG_PROVIDERS_CONFIG);

    /** The one setting of producers that can be set: only they get it. */
    private static final String COMPRESSION = ProducerConfig.COMPRESSION_TYPE_CONFIG;

    /** By measurement, see docs/performance.md. */
    private static final String DEFAULT_COMPRESSION = "snappy";

    /**
     * Kafka's own metrics, some thousand in a process, are registered neither at JMX nor for brokers that ask clients for them: that is a
     * fifth of the work of a start. Who wants them sets the two.
     */
    private static final Map<String, Object> DEFAULTS = Map.of(
            CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG,
            "",
            CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG,
            false);

    /**
     * @throws ConfigException if a setting is unknown, reserved for Laurel, or has an invalid value; the message names
     *         the first such setting and contains no secret
     */
    public KafkaAccess {
        if (bootstrapServers.isBlank()) {
            throw new ConfigException(BOOTSTRAP_SERVERS
                    + " is missing: name at least one broker as host:port; separate " + "several by commas.");
        }
        bootstrapServers = bootstrapServers.strip();
        var parsed = new TreeMap<String, Object>(further);
        parsed.replaceAll(KafkaAccess::parse);
        further = Collections.unmodifiableMap(parsed);
    }

    /** Settings without encryption and authentication. */
    public static KafkaAccess at(String bootstrapServers) {
        return new KafkaAccess(bootstrapServers, Map.of());
    }

    private static Object parse(String name, Object value) {
        if (name.equals(BOOTSTRAP_SERVERS)) {
            throw new ConfigException(
                    name + " cannot be set here: give the brokers in the setting or option for Kafka's " + "address.");
        }
        boolean isKnown = ADMIN.containsKey(name) || PRODUCER.containsKey(name) || CONSUMER.containsKey(name);
        if (!isKnown) {
            throw new ConfigException(name + " is not a setting of Kafka's clients.");
        }
        boolean isCompression = name.equals(COMPRESSION);
        ConfigKey key = isCompression ? PRODUCER.get(name) : ADMIN.get(name);
        boolean isOfAll = PRODUCER.containsKey(name) && CONSUMER.containsKey(name);
        if (key == null || !isCompression && !isOfAll || OWN.contains(name)) {
            throw new ConfigException(
                    name + " is set by Laurel itself: remove it. Only settings that all clients of Kafka have in"
                            + " common can be set: security.protocol, sasl.*, ssl.*, and those of connections; and "
                            + "compression.type.");
        }
        Object parsed = ConfigDef.parseType(name, value, key.type);
        if (key.validator != null) {
            key.validator.ensureValid(name, parsed);
        }
        return parsed;
    }

    /** The settings that every Kafka client gets. */
    public Map<String, Object> clientProperties() {
        return with(Map.of());
    }

    /** The shared settings combined with a client's own, which take precedence. Returns a new map. */
    public Map<String, Object> with(Map<String, ?> own) {
        var properties = new HashMap<>(DEFAULTS);
        properties.putAll(further);
        properties.remove(COMPRESSION);
        properties.put(BOOTSTRAP_SERVERS, bootstrapServers);
        properties.putAll(own);
        return properties;
    }

    /** How commands, results, scores, effects and changelogs are compressed: none, gzip, snappy, lz4 or zstd. */
    public String compression() {
        Object given = further.get(COMPRESSION);
        return given == null ? DEFAULT_COMPRESSION : given.toString();
    }

    /** The bootstrap servers and the names of the settings, without values. */
    @Override
    public String toString() {
        return bootstrapServers + (further.isEmpty() ? "" : " with " + String.join(", ", further.keySet()));
    }
}
