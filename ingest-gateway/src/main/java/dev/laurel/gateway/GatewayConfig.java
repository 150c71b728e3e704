package dev.laurel.gateway;

import dev.laurel.platform.kafka.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * The settings of a gateway.
 *
 * @param instanceId unique name of this gateway
 * @param isAlone whether the gateway joins no group, and takes itself for the only one
 */
public record GatewayConfig(KafkaAccess kafka, String instanceId, boolean isAlone, Limits limits) {

    /** The client id of each Kafka client of a gateway begins so, and ends with its instance id. */
    public static final String CLIENT_PREFIX = "laurel-gateway-";

    /**
     * The consumer group of all gateways of an instance: a name that the rights of Laurel in Kafka cover, like those of its applications.
     */
    public static final String GROUP = "laurel-gateways";
    /** Begins the ids of the members of the group, before {@link #CLIENT_PREFIX}: they differ from the clients that read the replies. */
    public static final String GROUP_CLIENT_PREFIX = "group-";

    public static final int DEFAULT_MAX_IN_FLIGHT = 4096;

    /**
     * How requests wait for their results.
     *
     * @param maxInFlight maximum number of requests in flight; further requests are answered with 503
     * @param replyTimeout time that a request waits for its result; then it is answered with 202, pending
     * @param isStrict whether requests are answered only with results of committed transactions, which adds up to a commit interval of
     *     latency
     */
    public record Limits(int maxInFlight, Duration replyTimeout, boolean isStrict) {

        public static final Limits DEFAULT = new Limits(DEFAULT_MAX_IN_FLIGHT, Duration.ofSeconds(30), false);
    }

    /**
     * The partition with which the gateway starts: the choice of the instance id, unless it is alone.
     *
     * @param partitions the number of partitions of {@code laurel.replies}
     */
    int replyPartition(int partitions) {
        return isAlone ? 0 : Math.floorMod(instanceId.hashCode(), partitions);
    }

    /** The settings of a Kafka client: the shared ones and {@code own}, which take precedence. */
    public Map<String, Object> client(Map<String, Object> own) {
        Map<String, Object> config = kafka.with(own);
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_PREFIX + instanceId);
        return config;
    }
}
