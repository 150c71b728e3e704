package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.GatewayOptions.Replaying;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a standalone instance.
 *
 * @param address where it listens
 * @param adminKey null: the key in the data directory, which the first start creates
 * @param kafka null: an embedded broker
 * @param brokerPort port of the embedded broker; 0 takes any free one
 * @param partitions partitions of users when the topics are created
 * @param auditRetention how long audit records are kept, when the topics are created
 * @param testClock whether time is virtual
 * @param commitIntervalMs of the ledger application
 * @param maxRanked participants of leaderboards in memory
 * @param gateway how writes wait for their results
 * @param delivery what is sent, and where to
 * @param oidc provider with which people sign in; null: none
 * @param replays replays that it offers
 */
public record StandaloneSettings(
        RoleServer.Address address,
        DataDir dataDir,
        @Nullable String adminKey,
        @Nullable KafkaAccess kafka,
        int brokerPort,
        int partitions,
        Duration auditRetention,
        boolean testClock,
        int commitIntervalMs,
        long maxRanked,
        GatewayConfig.Limits gateway,
        DeliveryConfig.Sending delivery,
        @Nullable OidcSettings oidc,
        Replaying replays) {

    static final int DEFAULT_PORT = 8080;
    static final int DEFAULT_BROKER_PORT = 9092;

    /** A partition keeps at most one stream thread busy and has seven small stores. */
    public static final int DEFAULT_PARTITIONS = 4;

    static final int DEFAULT_REPLAYS = 1;

    /** Omits the admin key, because the text may be logged. */
    @Override
    public String toString() {
        return "StandaloneSettings[" + address.host() + ":"
                + address.listening().port() + ", " + dataDir + ", " + kafka + "]";
    }

    /** Returns settings for the loopback address with free ports, for benchmarks and tests. Links in emails lead nowhere. */
    public static StandaloneSettings onFreePorts(
            DataDir dataDir, @Nullable KafkaAccess kafka, int partitions, boolean testClock) {
        DeliveryConfig.Sending usual = DeliveryConfig.Sending.DEFAULT;
        return new StandaloneSettings(
                new RoleServer.Address(new HttpSettings.Address("127.0.0.1", 0), null, null, false),
                dataDir,
                null,
                kafka,
                0,
                partitions,
                Topics.AUDIT_RETENTION,
                testClock,
                LedgerConfig.COMMIT_INTERVAL_MS,
                LeaderboardViews.DEFAULT_MAX_PARTICIPANTS,
                GatewayConfig.Limits.DEFAULT,
                new DeliveryConfig.Sending(usual.staleAfter(), true, "http://laurel.invalid", usual.webhooks()),
                null,
                new Replaying(DEFAULT_REPLAYS, dataDir.replays()));
    }
}
