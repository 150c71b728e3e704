package dev.laurel.delivery.runtime;

import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** What delivery is started with. @param commitIntervalMs time between commits: how much is read again after a failure */
public record DeliveryConfig(StreamsSettings streams, int commitIntervalMs, Sending sending) {

    /** The id of the Streams application, which begins the names of its changelog topics: durable data. */
    public static final String APPLICATION_ID = "laurel-delivery";

    /** The time for which the log of deliveries is kept ({@code docs/webhooks.md} §1). */
    public static final Duration LOG_KEPT = DeliveryLog.KEPT;

    /** How late at most a delivery starts that is due. */
    static final Duration ACTIVE_WAIT = Duration.ofMillis(20);

    public static final int COMMIT_INTERVAL_MS = 1_000;

    /**
     * What is sent, and where to.
     *
     * @param staleAfter the age from which events and messages are not sent: imports and replays are silent
     * @param allowsPrivate whether webhooks and mail servers may be at private, loopback and link-local addresses
     * @param publicUrl base URL of this instance for links in emails, without a slash at the end; empty: emails have no such link
     * @param webhooks connections to webhooks in total and to one, of all processes together; every process needs the same values
     */
    public record Sending(Duration staleAfter, boolean allowsPrivate, String publicUrl, InFlightLimits webhooks) {

        public static final Sending DEFAULT =
                new Sending(Duration.ofHours(24), false, "", new InFlightLimits(1_024, 32));

        public Sending {
            publicUrl = publicUrl.endsWith("/") ? publicUrl.substring(0, publicUrl.length() - 1) : publicUrl;
        }
    }

    /** The Streams properties of this node. Only committed records are read, so that nothing is sent that did not happen. */
    Properties streamsProperties(NodeId node) {
        Properties properties = streams.properties(APPLICATION_ID, commitIntervalMs);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        properties.put(StreamsConfig.POLL_MS_CONFIG, AdaptivePollWait.LONGEST.toMillis());
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        StreamsSettings.putProducer(properties, Map.of(ProducerConfig.LINGER_MS_CONFIG, 5));
        StreamsSettings.putConsumer(properties, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"));
        return node.addedTo(properties);
    }
}
