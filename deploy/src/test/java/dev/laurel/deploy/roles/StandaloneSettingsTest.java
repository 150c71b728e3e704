package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.GatewayOptions.Replaying;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.platform.session.OidcSettings.GroupRole;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandaloneSettingsTest {

    private static final String SECRET = "swimming.0123456789abcdef";

    @Test
    void shouldNotPrintSecrets() {
        var settings = new StandaloneSettings(
                new RoleServer.Address(new HttpSettings.Address("127.0.0.1", 0), null, null, false),
                new DataDir(Path.of("data")),
                SECRET,
                null,
                0,
                1,
                Topics.AUDIT_RETENTION,
                false,
                LedgerConfig.COMMIT_INTERVAL_MS,
                0,
                GatewayConfig.Limits.DEFAULT,
                DeliveryConfig.Sending.DEFAULT,
                new OidcSettings(
                        URI.create("https://id.example"),
                        "laurel",
                        SECRET,
                        URI.create("https://laurel.example/admin/v1/session/oidc/callback"),
                        "Example",
                        List.of("openid"),
                        "groups",
                        List.of(GroupRole.parse("ops=admin"))),
                new Replaying(0, Path.of("replays")));
        var broker = BrokerSettings.alone(Path.of("data"), 0, 0).with(Map.of("ssl.keystore.password", SECRET));

        for (Object printed : List.of(settings, settings.oidc(), new DataDir.Key(SECRET, true), broker)) {
            assertFalse(printed.toString().contains(SECRET), printed.toString());
        }
    }
}
