package dev.laurel.gateway;

import dev.laurel.platform.kafka.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a gateway, each declared once in {@link #DEFINITION}. Names that start with {@link KafkaAccess#PREFIX} are settings
 * of the Kafka clients; any other unknown name is refused.
 */
public final class GatewayConfig {

    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String INSTANCE_ID = "instance.id";
    public static final String MAX_IN_FLIGHT = "in.flight.max";
    public static final String REPLY_TIMEOUT_MS = "reply.timeout.ms";
    public static final String REPLY_PARTITION = "reply.partition";
    public static final String STRICT = "strict";
    public static final String STALL_MS = "publish.stall.ms";

    /** The value of {@link #REPLY_PARTITION} that leaves the choice to the instance id. */
    public static final int PARTITION_BY_INSTANCE = -1;

    public static final ConfigDef DEFINITION = new ConfigDef()
            .define(BOOTSTRAP_SERVERS, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new ConfigDef.NonEmptyString(),
                    Importance.HIGH, "Brokers to find the cluster by, host:port, separated by commas.")
            .define(INSTANCE_ID, Type.STRING, "", Importance.MEDIUM,
                    "Names this gateway among all gateways; empty: a random one for each start.")
            .define(MAX_IN_FLIGHT, Type.INT, 4096, Range.between(1, 1_000_000), Importance.MEDIUM,
                    "Requests that may wait for an answer at once; more are answered with 503.")
            .define(REPLY_TIMEOUT_MS, Type.LONG, 30_000L, Range.between(1, 600_000), Importance.MEDIUM,
                    "How long a request waits for its result before it is answered with 202, pending.")
            .define(REPLY_PARTITION, Type.INT, PARTITION_BY_INSTANCE, Range.atLeast(PARTITION_BY_INSTANCE),
                    Importance.LOW, "The partition of laurel.replies for this gateway; -1: chosen by the instance id.")
            .define(STRICT, Type.BOOLEAN, false, Importance.LOW,
                    "Answer only with results of committed transactions; adds up to a commit interval of latency.")
            .define(STALL_MS, Type.LONG, 5_000L, Range.between(100, 600_000), Importance.LOW,
                    "With no acknowledgement for this long, new requests are answered with 503.");

    private final Map<String, Object> values;
    private final KafkaAccess kafka;
    private final String instanceId;

    private GatewayConfig(Map<String, Object> values, KafkaAccess kafka) {
        this.values = values;
        this.kafka = kafka;
        String given = (String) value(INSTANCE_ID);
        this.instanceId = given.isEmpty() ? UUID.randomUUID().toString() : given;
    }

    /** @throws ConfigException naming the setting that is missing, unknown, ill-typed or out of range */
    public static GatewayConfig of(Map<String, ?> settings) {
        var own = new HashMap<String, Object>();
        settings.forEach((name, value) -> {
            if (DEFINITION.names().contains(name)) {
                own.put(name, value);
            } else if (!name.startsWith(KafkaAccess.PREFIX)) {
                throw new ConfigException("Unknown setting '" + name + "'.");
            }
        });
        return new GatewayConfig(DEFINITION.parse(own), KafkaAccess.of(settings));
    }

    /** Every setting has a value: {@link #DEFINITION} gives a default or demands one. */
    private Object value(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    public String instanceId() {
        return instanceId;
    }

    public int maxInFlight() {
        return (Integer) value(MAX_IN_FLIGHT);
    }

    public Duration replyTimeout() {
        return Duration.ofMillis((Long) value(REPLY_TIMEOUT_MS));
    }

    public Duration stall() {
        return Duration.ofMillis((Long) value(STALL_MS));
    }

    /** Whether only committed results are answers. */
    public boolean isStrict() {
        return (Boolean) value(STRICT);
    }

    /** @param partitions how many {@code laurel.replies} has */
    public int replyPartition(int partitions) {
        int given = (Integer) value(REPLY_PARTITION);
        if (given >= partitions) {
            throw new ConfigException(REPLY_PARTITION, given, "there are " + partitions + " partitions");
        }
        return given == PARTITION_BY_INSTANCE ? Math.floorMod(instanceId.hashCode(), partitions) : given;
    }

    /** Settings of a Kafka client: how Kafka is reached, and {@code ours}. */
    Map<String, Object> client(Map<String, Object> ours) {
        Map<String, Object> config = kafka.with(ours);
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, "laurel-gateway-" + instanceId);
        return config;
    }
}
