package dev.laurel.deploy.standalone;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.GatewayOptions.Replaying;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a standalone instance.
 *
 * @param port port for HTTP; 0 takes any free one
 * @param adminKey null: the key in the data directory, which the first start creates
 * @param kafka null: an embedded broker
 * @param brokerPort port of the embedded broker; 0 takes any free one
 * @param partitions partitions of users when the topics are created
 * @param testClock whether time is virtual
 * @param ledger further settings of the ledger application
 * @param gateway further settings of the gateway
 * @param delivery further settings of the delivery application
 * @param adminHost requests for this host name get the admin API at {@code /v1}
 * @param tls null: plain HTTP
 * @param isStrict whether requests with unknown parameters or fields are refused
 * @param oidc provider with which people sign in; null: none
 * @param replays replays that it offers
 * @param auditRetention how long audit records are kept, when the topics are created
 */
public record StandaloneSettings(String host, int port, DataDir dataDir, @Nullable String adminKey,
        @Nullable KafkaAccess kafka, int brokerPort, int partitions, boolean testClock, Map<String, Object> ledger,
        Map<String, Object> gateway,
        Map<String, Object> delivery, @Nullable String adminHost, @Nullable TlsFiles tls, boolean isStrict,
        @Nullable OidcSettings oidc, Replaying replays, Duration auditRetention) {

    public static final int DEFAULT_PORT = 8080;
    public static final int DEFAULT_BROKER_PORT = 9092;

    /** A partition keeps at most one stream thread busy and has seven small stores. */
    public static final int DEFAULT_PARTITIONS = 4;

    public static final int DEFAULT_REPLAYS = 1;

    public StandaloneSettings {
        ledger = Map.copyOf(ledger);
        gateway = Map.copyOf(gateway);
        delivery = Map.copyOf(delivery);
    }

    /** Omits the admin key, because the text may be logged. */
    @Override
    public String toString() {
        return "StandaloneSettings[" + host + ":" + port + ", " + dataDir + ", " + kafka + "]";
    }

    /** Returns settings for the loopback address with free ports, for benchmarks and tests. Links in emails lead nowhere. */
    public static StandaloneSettings onFreePorts(DataDir dataDir, @Nullable KafkaAccess kafka, int partitions,
            boolean testClock) {
        return new StandaloneSettings("127.0.0.1", 0, dataDir, null, kafka, 0, partitions, testClock, Map.of(),
                Map.of(), Map.of(DeliveryConfig.PUBLIC_URL, "http://laurel.invalid"), null, null, false, null,
                new Replaying(DEFAULT_REPLAYS, dataDir.replays()),
                Topics.AUDIT_RETENTION);
    }
}
