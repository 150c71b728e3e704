package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.access.AccessKeys;
import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.FixedSettings;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.session.SessionRoutes.SignInLinks;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Settings;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A server with sign-in and a few routes, over keys in memory and with a clock that only the test moves. */
final class SessionServer implements AutoCloseable {

    static final ApiKey START_KEY = ApiKey.givenAdminKey("Abcd1234.0123456789abcdef");
    static final String PATH = "/admin/v1/session";
    private static final UUID TENANT = UUID.randomUUID();

    final AccessIndex index = InMemoryAccessStore.index();
    final AccessKeys keys =
            new AccessKeys(index, new FixedSettings(_ -> Settings.DEFAULT), _ -> {}, _ -> {}, InstantSource.system());
    final SignedSessions sessions;
    final SignInLinks links;
    Instant now = Instant.parse("2026-03-04T12:00:00Z");
    private final HttpServer server;
    private final SessionRoutes routes;
    private final HttpClient client = HttpClient.newHttpClient();

    SessionServer(OidcSettings oidc) {
        SessionKey.missing(index, () -> new byte[32]).forEach(this::put);
        put(new AdminKey(
                AccessRecord.startKeyId(START_KEY.hash()),
                "start",
                START_KEY.prefix(),
                START_KEY.hash(),
                KeyStatus.ACTIVE,
                now));
        sessions = sessions(START_KEY, oidc);
        links = new SignInLinks(() -> now);
        routes = new SessionRoutes(sessions, links, oidc, () -> now);
        server = TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", 0)).withSessions(sessions),
                keys,
                List.of(routes, SessionServer::mount));
    }

    /** Sessions of another process, or of this one after a change. */
    SignedSessions sessions(ApiKey startKey, OidcSettings oidc) {
        return new SignedSessions(index, keys, startKey, oidc, () -> now);
    }

    private static void mount(RouteTable routes) {
        routes.get("/admin/v1/things", RequiredRole.VIEWER, SessionServer::ok)
                .post("/admin/v1/things", RequiredRole.EDITOR, SessionServer::ok)
                .patch("/admin/v1/instance", RequiredRole.ADMIN_OF_INSTANCE, SessionServer::ok)
                .get("/v1/things", RequiredRole.VIEWER, SessionServer::ok)
                .post("/v1/things", RequiredRole.SUPPORT, SessionServer::ok);
    }

    private static void ok(Context context) {
        Answers.answer(context, 200, ("\"" + Caller.of(context).actor().name() + "\"").getBytes(UTF_8));
    }

    void put(AccessRecord record) {
        index.put(record.recordKey(), record);
    }

    AdminKey adminKey(ApiKey key, Role role, String tenant) {
        var record = new AdminKey(
                UUID.randomUUID(), role.word(), key.prefix(), key.hash(), KeyStatus.ACTIVE, now, role, tenant, null);
        put(record);
        return record;
    }

    static ApiKey newKey() {
        return ApiKey.newAdminKey(new SecureRandom());
    }

    String applicationKey() {
        ApiKey key = new ApiKey(
                ApiKey.APPLICATION + ApiKey.newAdminKey(new SecureRandom()).text());
        put(new ApplicationKey(
                UUID.randomUUID(), TenantId.NONE, new UserId("ida"), key.prefix(), key.hash(), now, Role.SUPPORT));
        return key.text();
    }

    void tenant(TenantStatus status) {
        put(new Instance(true));
        put(new Tenant(TENANT, "acme", "Acme", status, now, now));
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(method + " " + path, e);
        }
    }

    HttpResponse<String> signIn(String key, String... headers) {
        return send("POST", PATH, "{\"key\": \"" + key + "\"}", headers);
    }

    /** A browser that has signed in. */
    Browser browser(ApiKey key) {
        return new Browser(signIn(key.text()));
    }

    int port() {
        return server.port();
    }

    /** What a browser keeps of a sign-in: the cookie; and a page, the token. */
    final class Browser {

        final String cookie;
        final String csrfToken;

        Browser(HttpResponse<String> signedIn) {
            this(cookieOf(signedIn, "laurel_session"), signedIn);
        }

        /** @param shown says who is signed in */
        Browser(String cookie, HttpResponse<String> shown) {
            this.cookie = cookie;
            csrfToken = shown.body().replaceFirst(".*\"csrfToken\":\"([^\"]+)\".*", "$1");
        }

        /** A request of a page of the server. */
        HttpResponse<String> send(String method, String path, String... headers) {
            var all = new ArrayList<>(List.of("Cookie", cookie, "Sec-Fetch-Site", "same-origin"));
            if (!method.equals("GET")) {
                all.addAll(List.of("X-CSRF-Token", csrfToken));
            }
            all.addAll(List.of(headers));
            return SessionServer.this.send(
                    method, path, method.equals("GET") ? null : "{}", all.toArray(String[]::new));
        }

        int status(String method, String path, String... headers) {
            return send(method, path, headers).statusCode();
        }
    }

    /** Name and value of a cookie that a response sets. */
    static String cookieOf(HttpResponse<?> response, String name) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.replaceFirst(";.*", ""))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        client.close();
        server.close();
        routes.close();
    }
}
