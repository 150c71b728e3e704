package dev.laurel.gateway;

import dev.laurel.platform.kafka.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a gateway, each declared once in {@link #DEFINITION}. Names that start with {@link KafkaAccess#PREFIX} are settings
 * of the Kafka clients; any other unknown name is refused.
 *
 * @param isStrict whether requests are answered only with results of committed transactions
 * @param stall time without acknowledgements after which new requests are refused
 */
public record GatewayConfig(
        KafkaAccess kafka,
        String instanceId,
        int maxInFlight,
        Duration replyTimeout,
        int replyPartition,
        boolean isStrict,
        Duration stall) {

    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String INSTANCE_ID = "instance.id";
    public static final String MAX_IN_FLIGHT = "in.flight.max";
    public static final String REPLY_TIMEOUT_MS = "reply.timeout.ms";
    public static final String REPLY_PARTITION = "reply.partition";
    public static final String STRICT = "strict";
    public static final String STALL_MS = "publish.stall.ms";

    /** The client id of each Kafka client of a gateway begins so, and ends with its {@link #INSTANCE_ID}. */
    public static final String CLIENT_PREFIX = "laurel-gateway-";

    /**
     * The consumer group of all gateways of an instance: a name that the rights of Laurel in Kafka cover, like those of its applications.
     */
    public static final String GROUP = "laurel-gateways";
    /** Begins the ids of the members of the group, before {@link #CLIENT_PREFIX}: they differ from the clients that read the replies. */
    public static final String GROUP_CLIENT_PREFIX = "group-";

    public static final int DEFAULT_MAX_IN_FLIGHT = 4096;

    /** The value of {@link #REPLY_PARTITION} that leaves the choice to the group of gateways. */
    public static final int PARTITION_BY_GROUP = -1;

    public static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    BOOTSTRAP_SERVERS,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Brokers of the cluster, as host:port, separated by commas.")
            .define(
                    INSTANCE_ID,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "Unique name of this gateway; empty: a random name at each start.")
            .define(
                    MAX_IN_FLIGHT,
                    Type.INT,
                    DEFAULT_MAX_IN_FLIGHT,
                    Range.between(1, 1_000_000),
                    Importance.MEDIUM,
                    "Maximum number of requests in flight; further requests are answered with 503.")
            .define(
                    REPLY_TIMEOUT_MS,
                    Type.LONG,
                    30_000L,
                    Range.between(1, 600_000),
                    Importance.MEDIUM,
                    "Time that a request waits for its result; then it is answered with 202, pending.")
            .define(
                    REPLY_PARTITION,
                    Type.INT,
                    PARTITION_BY_GROUP,
                    Range.atLeast(PARTITION_BY_GROUP),
                    Importance.LOW,
                    "Partition of laurel.replies for this gateway, which then does not join the group of gateways; -1:"
                            + " assigned by the group.")
            .define(
                    STRICT,
                    Type.BOOLEAN,
                    false,
                    Importance.LOW,
                    "Answer only with results of committed transactions; adds up to a commit interval of latency.")
            .define(
                    STALL_MS,
                    Type.LONG,
                    5_000L,
                    Range.between(100, 600_000),
                    Importance.LOW,
                    "Time without acknowledgements after which new requests are answered with 503.");

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
        var config = new AbstractConfig(DEFINITION, own, false);
        String instanceId = config.getString(INSTANCE_ID);
        return new GatewayConfig(
                KafkaAccess.of(settings),
                instanceId.isEmpty() ? UUID.randomUUID().toString() : instanceId,
                config.getInt(MAX_IN_FLIGHT),
                Duration.ofMillis(config.getLong(REPLY_TIMEOUT_MS)),
                config.getInt(REPLY_PARTITION),
                config.getBoolean(STRICT),
                Duration.ofMillis(config.getLong(STALL_MS)));
    }

    /** Whether the gateway joins no group, and takes itself for the only one. */
    boolean isAlone() {
        return replyPartition != PARTITION_BY_GROUP;
    }

    /**
     * The partition with which the gateway starts: without a given one, the choice of the instance id.
     *
     * @param partitions the number of partitions of {@code laurel.replies}
     */
    int replyPartition(int partitions) {
        if (replyPartition >= partitions) {
            throw new ConfigException(REPLY_PARTITION, replyPartition, "there are " + partitions + " partitions");
        }
        return replyPartition == PARTITION_BY_GROUP ? Math.floorMod(instanceId.hashCode(), partitions) : replyPartition;
    }

    /** The settings of a Kafka client: the shared ones and {@code own}, which take precedence. */
    public Map<String, Object> client(Map<String, Object> own) {
        Map<String, Object> config = kafka.with(own);
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_PREFIX + instanceId);
        return config;
    }
}
