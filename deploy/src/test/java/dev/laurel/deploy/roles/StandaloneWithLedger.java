package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.processors.boards.LeaderboardViews;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;

/** Settings of a standalone on free ports, without replays, whose ledger has further settings. */
public final class StandaloneWithLedger {

    private StandaloneWithLedger() {}

    public static StandaloneSettings settings(Path dir, int commitIntervalMs) {
        return new StandaloneSettings(
                new RoleServer.Address(new HttpSettings.Address("127.0.0.1", 0), null, null, false),
                new DataDir(dir),
                null,
                null,
                0,
                1,
                Topics.AUDIT_RETENTION,
                false,
                commitIntervalMs,
                LeaderboardViews.DEFAULT_MAX_PARTICIPANTS,
                GatewayConfig.Limits.DEFAULT,
                DeliveryConfig.Sending.DEFAULT,
                null,
                new GatewayOptions.Replaying(0, dir));
    }
}
