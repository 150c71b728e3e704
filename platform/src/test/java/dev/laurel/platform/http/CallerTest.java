package dev.laurel.platform.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {

    private static final TenantId POOL = new TenantId("pool");
    private static final UserId IDA = new UserId("ida");
    private static final UserId BO = new UserId("bo");

    private final HttpServer server = TestServer.start(
            new HttpSettings.Address("127.0.0.1", 0),
            (key, _) -> switch (key) {
                case "admin" -> Grant.of(Principal.Admin.UNLIMITED, key, POOL);
                case "app_ida" -> Grant.of(new Principal.ApplicationUser(IDA, Role.SUPPORT), key, POOL);
                case "viewer" -> Grant.of(admin(Role.VIEWER, null), key, POOL);
                case "bound" -> Grant.of(admin(Role.ADMIN, "pool"), key, POOL);
                case "foreign" -> new Grant(admin(Role.ADMIN, "pool"), key, null, "another tenant");
                case "lost" -> new Grant(Principal.Admin.UNLIMITED, key, null, "no tenant");
                default -> null;
            },
            List.of(routes -> routes.get(
                            "/v1/users/{id}",
                            RequiredRole.VIEWER,
                            context -> Answers.answer(
                                    context,
                                    200,
                                    Caller.of(context)
                                            .userKey(new UserId(context.pathParam("id")))
                                            .bytes()))
                    .get("/admin/v1/things", RequiredRole.VIEWER, CallerTest::answer)
                    .get("/admin/v1/changes", RequiredRole.SUPPORT, CallerTest::answer)
                    .get("/admin/v1/instance", RequiredRole.ADMIN_OF_INSTANCE, CallerTest::answer)));
    private final HttpClient client = HttpClient.newHttpClient();

    private static Principal admin(Role role, String tenant) {
        return new Principal.Admin(Actor.ofKey(new UUID(0, 1), "key", role, tenant));
    }

    private static void answer(Context context) {
        Answers.answer(context, 200, "[]".getBytes());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private HttpResponse<String> get(String key, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (!key.isEmpty()) {
            request.header("X-API-KEY", key);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void shouldGrantAnAdminEveryUserOfTheTenant() {
        var admin = new Caller(Grant.of(Principal.Admin.UNLIMITED, "", POOL), null, RequestLimits.NONE);
        assertEquals(new UserKey(POOL, IDA), admin.userKey(IDA));
        assertEquals(new UserKey(POOL, BO), admin.userKey(BO));
        assertDoesNotThrow(admin::expectAdmin);
        assertEquals(Principal.Admin.UNLIMITED.actor(), admin.actor());
    }

    @Test
    void shouldGrantAnApplicationKeyItsUserOnly() {
        var ida = new Caller(
                Grant.of(new Principal.ApplicationUser(IDA, Role.SUPPORT), "", POOL), null, RequestLimits.NONE);
        assertEquals(new UserKey(POOL, IDA), ida.userKey(IDA));
        assertEquals(403, assertThrows(HttpRefusal.class, () -> ida.userKey(BO)).status());
        assertEquals(401, assertThrows(HttpRefusal.class, ida::expectAdmin).status());
        assertNull(ida.actor());
    }

    @ParameterizedTest
    @CsvSource({
        "admin, /v1/users/bo, 200",
        "app_ida, /v1/users/ida, 200",
        "app_ida, /v1/users/bo, 403",
        "admin, /admin/v1/things, 200",
        "app_ida, /admin/v1/things, 401",
        "app_ida, /admin/v1/things/, 401",
        "app_ida, /admin/v1/unknown, 401",
        "unknown, /v1/users/ida, 401",
        "'', /v1/users/ida, 401",
        "'', /v1/unknown, 401",
        "lost, /v1/users/ida, 422",
        "lost, /v1/unknown, 422",
        "lost, /admin/v1/things, 200",
        "viewer, /admin/v1/things, 200",
        "viewer, /admin/v1/changes, 403",
        "viewer, /admin/v1/changes/, 403",
        "viewer, /admin/v1/unknown, 404",
        "bound, /admin/v1/changes, 200",
        "bound, /admin/v1/instance, 403",
        "admin, /admin/v1/instance, 200",
        "foreign, /v1/users/ida, 403",
        "foreign, /admin/v1/things, 403",
        "foreign, /admin/v1/instance, 403",
        "foreign, /admin/v1/unknown, 403",
        "foreign, /v1/unknown, 403"
    })
    void shouldCheckKeyAndTenantBeforeRoutes(String key, String path, int status) throws Exception {
        assertEquals(status, get(key, path).statusCode());
    }

    /** Another spelling of an admin path must not avoid the check for an admin key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%61dmin/v1/things",
                "//admin/v1/things",
                "/ADMIN/v1/things",
                "/v1/../admin/v1/things",
                "/v1/%2e%2e/admin/v1/things",
                "/./admin/v1/things",
                "/admin;x=1/v1/things",
                "/v1;/../admin/v1/things",
                "/%2Fadmin/v1/things",
                "/admin%2Fv1/things",
                "/\\admin/v1/things"
            })
    void shouldRefuseOtherSpellingsOfAdminPaths(String path) throws Exception {
        String status = rawStatus(path);
        assertTrue(status.startsWith("4"), path + ": " + status);
    }

    private String rawStatus(String path) throws Exception {
        try (var socket = new java.net.Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: h\r\nX-API-KEY: app_ida\r\n"
                                    + "Connection: close\r\n\r\n")
                            .getBytes());
            return new String(socket.getInputStream().readAllBytes()).split(" ")[1];
        }
    }
}
