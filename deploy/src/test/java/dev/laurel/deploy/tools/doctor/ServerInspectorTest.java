package dev.laurel.deploy.tools.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class ServerInspectorTest {

    private static final String KEY = "testkey1.0123456789abcdef";

    @AutoClose
    private final HttpServer server =
            TestServer.start(new HttpSettings.Address("127.0.0.1", 0), new BootstrapKey(KEY), List.of(routes -> {
                routes.get(
                        "/healthz", RequiredRole.PUBLIC, context -> Answers.answer(context, 200, "{}".getBytes(UTF_8)));
                routes.get(
                        "/readyz", RequiredRole.PUBLIC, context -> Answers.answer(context, 503, "{}".getBytes(UTF_8)));
                routes.get("/admin/v1/ruleset", RequiredRole.VIEWER, context -> {
                    context.header("X-Laurel-Ruleset-Version", "7");
                    Answers.answer(context, 200, """
                        {"metrics": {"laps": {}}, "achievements": {"first": {"trigger": "metric", "metric": "dives",
                         "value": 1}}}\
                        """.getBytes(UTF_8));
                });
            }));

    private final URI address = URI.create("http://127.0.0.1:" + server.port() + "/");

    private Facts.ServerFacts ask(String key) {
        return ask(address, key);
    }

    private static Facts.ServerFacts ask(URI server, String key) {
        try (var calls = new AdminApiClient(server, key, null)) {
            return new ServerInspector(calls, key != null).gather();
        }
    }

    @Test
    void shouldCollectFactsOfServer() {
        Facts.ServerFacts facts = ask(KEY);

        assertEquals("http://127.0.0.1:" + server.port(), facts.url());
        assertEquals(200, facts.health());
        assertEquals(503, facts.ready());
        assertEquals(200, facts.keyStatus());
        assertEquals(7, facts.ruleset().version());
        assertEquals(
                List.of("/achievements/first/metric"),
                facts.ruleset().issues().stream().map(issue -> issue.path()).toList());
        assertNull(facts.keys());
        assertNotNull(facts.clock());
        assertEquals(0, facts.clock().offMs());
    }

    @Test
    void shouldDistinguishRefusedKeyFromNoKey() {
        assertEquals(401, ask("wrongkey.0123456789abcdef").keyStatus());
        assertEquals(0, ask(null).keyStatus());
        assertNull(ask(null).ruleset());
    }

    @Test
    void shouldCollectWhatTheKeyLacks() {
        assertNull(ask(KEY).keyRefusal());
        try (var strict = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                (key, _) -> Grant.of(
                        new Principal.Admin(Actor.ofKey(new UUID(0, 1), "key", Role.ADMIN, "acme")),
                        "p",
                        TenantId.NONE),
                List.of(
                        new NodeRoutes(() -> true),
                        routes -> routes.get(
                                "/admin/v1/admin-api-keys",
                                RequiredRole.VIEWER_OF_INSTANCE,
                                context -> Answers.answer(context, 200, "[]".getBytes(UTF_8)))))) {
            Facts.ServerFacts facts = ask(URI.create("http://127.0.0.1:" + strict.port()), KEY);

            assertEquals("This concerns all tenants: it needs a key that is bound to none.", facts.keyRefusal());
            assertNull(facts.keys());
        }
    }

    @Test
    void shouldReportUnreachableServer() {
        server.close();

        assertNotNull(ask(KEY).unreachable());
    }
}
