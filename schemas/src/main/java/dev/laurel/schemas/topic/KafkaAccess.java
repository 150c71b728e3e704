package dev.laurel.schemas.topic;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;

/**
 * How Kafka is reached: its addresses, and what every client and every Streams application is told beside them, such as
 * {@code security.protocol} and all of {@code sasl.*} and {@code ssl.*}. That is exactly what Kafka's three kinds of clients (admin,
 * producer, consumer) have in common; what only one of them knows (acknowledgements, groups, isolation, transactions, serializers)
 * decides whether Laurel is correct, and is refused. Secrets are kept as Kafka's passwords, which show nothing of themselves.
 * Immutable.
 */
public final class KafkaAccess {

    /** A setting of a role that starts so goes to Kafka's clients, without the prefix. */
    public static final String PREFIX = "kafka.";

    private static final String BOOTSTRAP_SERVERS = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
    private static final Map<String, ConfigKey> ADMIN = AdminClientConfig.configDef().configKeys();
    private static final Map<String, ConfigKey> PRODUCER = ProducerConfig.configDef().configKeys();
    private static final Map<String, ConfigKey> CONSUMER = ConsumerConfig.configDef().configKeys();

    /** Known to all clients, and yet not to be set. */
    private static final Set<String> OWN = Set.of(CommonClientConfigs.CLIENT_ID_CONFIG,
            AbstractConfig.CONFIG_PROVIDERS_CONFIG);

    private final String bootstrapServers;
    private final Map<String, Object> further;

    private KafkaAccess(String bootstrapServers, Map<String, Object> further) {
        this.bootstrapServers = bootstrapServers;
        this.further = Collections.unmodifiableMap(further);
    }

    /** Without encryption and without a password. */
    public static KafkaAccess at(String bootstrapServers) {
        return of(bootstrapServers, Map.of());
    }

    /**
     * @param bootstrapServers host:port, several by commas
     * @param further settings of Kafka's clients by name
     * @throws ConfigException naming the first setting that is unknown, Laurel's own, or has a value that cannot be; no secret
     *         is in its message
     */
    public static KafkaAccess of(String bootstrapServers, Map<String, ?> further) {
        if (bootstrapServers == null || bootstrapServers.isBlank()) {
            throw new ConfigException(
                    BOOTSTRAP_SERVERS + " is missing: brokers to find Kafka by, host:port, separated by "
                            + "commas.");
        }
        var parsed = new HashMap<String, Object>();
        new TreeMap<>(further).forEach((name, value) -> parsed.put(name, parse(name, value)));
        return new KafkaAccess(bootstrapServers.strip(), parsed);
    }

    /** From the settings of a role: {@code bootstrap.servers}, and all that start with {@link #PREFIX}. */
    public static KafkaAccess of(Map<String, ?> settings) {
        var further = new HashMap<String, Object>();
        settings.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                further.put(name.substring(PREFIX.length()), value);
            }
        });
        Object servers = settings.get(BOOTSTRAP_SERVERS);
        return of(servers == null ? null : servers.toString(), further);
    }

    private static Object parse(String name, Object value) {
        if (name.equals(BOOTSTRAP_SERVERS)) {
            throw new ConfigException(name + ": the addresses of Kafka are not said here, but where it is said which "
                    + "Kafka to use.");
        }
        boolean isKnown = ADMIN.containsKey(name) || PRODUCER.containsKey(name) || CONSUMER.containsKey(name);
        if (!isKnown) {
            throw new ConfigException(name + " is no setting of Kafka's clients.");
        }
        boolean isOfAll = ADMIN.containsKey(name) && PRODUCER.containsKey(name) && CONSUMER.containsKey(name);
        if (!isOfAll || OWN.contains(name)) {
            throw new ConfigException(
                    name + " is Laurel's own to set: remove it. What can be set is what all clients of "
                            + "Kafka have in common: security.protocol, sasl.*, ssl.*, and how they connect.");
        }
        ConfigKey key = ADMIN.get(name);
        Object parsed = ConfigDef.parseType(name, value, key.type);
        if (key.validator != null) {
            key.validator.ensureValid(name, parsed);
        }
        return parsed;
    }

    /** Host:port, several by commas. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** What every client of Kafka is told. */
    public Map<String, Object> clientProperties() {
        return with(Map.of());
    }

    /** What a client is told that has settings of its own; they win. The map is the caller's. */
    public Map<String, Object> with(Map<String, ?> own) {
        var properties = new HashMap<>(further);
        properties.put(BOOTSTRAP_SERVERS, bootstrapServers);
        properties.putAll(own);
        return properties;
    }

    /** As settings of a role; {@link #of(Map)} reads them back. */
    public Map<String, Object> settings() {
        var settings = new HashMap<String, Object>();
        further.forEach((name, value) -> settings.put(PREFIX + name, value));
        settings.put(BOOTSTRAP_SERVERS, bootstrapServers);
        return settings;
    }

    /** Addresses, and the names of settings without their values. */
    @Override
    public String toString() {
        return bootstrapServers
                + (further.isEmpty() ? "" : " with " + String.join(", ", new TreeSet<>(further.keySet())));
    }
}
