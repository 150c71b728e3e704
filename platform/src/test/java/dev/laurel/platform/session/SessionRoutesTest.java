package dev.laurel.platform.session;

import static dev.laurel.platform.session.SessionServer.PATH;
import static dev.laurel.platform.session.SessionServer.START_KEY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.session.SessionRoutes.SignInLinks;
import dev.laurel.platform.session.SessionServer.Browser;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import io.github.bucket4j.TimeMeter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionRoutesTest {

    private static final String THINGS = "/admin/v1/things";

    @AutoClose
    private final SessionServer server = new SessionServer(null);

    @Test
    void shouldExchangeAKeyForACookieWithoutTheKey() {
        HttpResponse<String> answer = server.signIn(START_KEY.text());

        assertEquals(200, answer.statusCode(), answer.body());
        assertTrue(
                answer.body()
                        .matches("\\{\"name\":\"start\",\"role\":\"admin\",\"tenant\":null,"
                                + "\"csrfToken\":\"[A-Za-z0-9_-]{43}\",\"expiresAt\":\"2026-03-04T20:00:00.000Z\"}"),
                answer.body());
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(
                cookie.matches("laurel_session=[A-Za-z0-9_-]+; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict"),
                cookie);
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        String session = new String(Base64.getUrlDecoder().decode(cookie.replaceAll("^[^=]+=|;.*", "")));
        assertFalse(session.contains(START_KEY.prefix()) || cookie.contains(START_KEY.prefix()));
    }

    @Test
    void shouldSecureTheCookieBehindTls() {
        String cookie = server.signIn(START_KEY.text(), "X-Forwarded-Proto", "https")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();

        assertTrue(cookie.endsWith("; Secure"), cookie);
    }

    @Test
    void shouldActWithTheSessionInsteadOfAKey() {
        Browser browser = server.browser(START_KEY);

        assertEquals(200, browser.status("GET", THINGS));
        assertEquals(200, browser.status("POST", THINGS));
        assertEquals(200, browser.status("PATCH", "/admin/v1/instance"));
        assertEquals(200, browser.status("GET", "/v1/things"));
        assertEquals(200, browser.status("POST", "/v1/things"));
        assertEquals(404, browser.status("GET", "/admin/v1/unknown"));
    }

    @Test
    void shouldShowWhoIsSignedIn() {
        Browser browser = server.browser(START_KEY);
        String shown = browser.send("GET", PATH).body();

        assertTrue(shown.contains("\"csrfToken\":\"" + browser.csrfToken + "\""), shown);
        assertEquals(
                "{\"name\":\"start\",\"role\":\"admin\",\"tenant\":null,\"csrfToken\":null,\"expiresAt\":null}",
                server.send("GET", PATH, null, "X-API-KEY", START_KEY.text()).body());
        assertEquals(401, server.send("GET", PATH, null).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Abcd1234", "Abcd1234.0123456789abcdeg", "Xbcd1234.0123456789abcdef", "☃"})
    void shouldRefuseOtherKeys(String key) {
        HttpResponse<String> answer = server.signIn(key);

        assertEquals(401, answer.statusCode());
        assertEquals(List.of(), answer.headers().allValues("Set-Cookie"));
    }

    @Test
    void shouldRefuseApplicationKeysAndInactiveKeys() {
        ApiKey key = SessionServer.newKey();
        revoke(server.adminKey(key, Role.ADMIN, null));

        assertEquals(401, server.signIn(key.text()).statusCode());
        assertEquals(401, server.signIn(server.applicationKey()).statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ | 400",
                "[] | 400",
                "{} | 422",
                "{\"key\": 5} | 422",
                "{\"key\": \"a\", \"link\": \"b\"} | 422",
                "{\"key\": null} | 422",
                "{\"link\": []} | 422",
                "{\"link\": \"x\"} | 401"
            })
    void shouldRefuseOtherBodies(String body, int status) {
        assertEquals(status, server.send("POST", PATH, body).statusCode());
    }

    @Test
    void shouldRefuseLargeBodies() {
        assertEquals(413, server.send("POST", PATH, " ".repeat(1024 * 1024 + 1)).statusCode());
    }

    private void revoke(AdminKey key) {
        server.put(new AdminKey(
                key.id(),
                key.name(),
                key.prefix(),
                key.hash(),
                KeyStatus.INACTIVE,
                key.created(),
                key.role(),
                key.tenant(),
                key.expires()));
    }

    @Test
    void shouldEndWithTheKey() {
        ApiKey key = SessionServer.newKey();
        AdminKey record = server.adminKey(key, Role.ADMIN, null);
        Browser browser = server.browser(key);
        assertEquals(200, browser.status("GET", THINGS));

        revoke(record);
        assertEquals(401, browser.status("GET", THINGS), "replayed after the revocation");
        assertEquals(401, browser.status("GET", PATH));
        server.put(record);
        assertEquals(200, browser.status("GET", THINGS), "the key is valid again");
        ApiKey rotated = SessionServer.newKey();
        server.put(
                new AdminKey(record.id(), "a", rotated.prefix(), rotated.hash(), KeyStatus.ACTIVE, record.created()));
        assertEquals(401, browser.status("GET", THINGS), "a rotated key is another one");
        assertEquals(200, server.browser(rotated).status("GET", THINGS));
        server.index.put(record.recordKey(), null);
        assertEquals(401, browser.status("GET", THINGS));
    }

    @Test
    void shouldEndAtTheEndOfTheKey() {
        ApiKey key = SessionServer.newKey();
        AdminKey record = server.adminKey(key, Role.ADMIN, null);
        Browser browser = server.browser(key);

        server.put(new AdminKey(
                record.id(),
                "a",
                record.prefix(),
                record.hash(),
                KeyStatus.ACTIVE,
                record.created(),
                Role.ADMIN,
                null,
                server.now.plusSeconds(1)));
        assertEquals(200, browser.status("GET", THINGS));
        server.now = server.now.plusSeconds(1);

        assertEquals(401, browser.status("GET", THINGS));
        assertEquals(
                401,
                server.send("POST", PATH, "{\"key\":\"" + key.text() + "\"}").statusCode());
    }

    @Test
    void shouldHaveThePresentRoleOfTheKey() {
        ApiKey key = SessionServer.newKey();
        AdminKey record = server.adminKey(key, Role.EDITOR, null);
        Browser browser = server.browser(key);
        assertEquals(200, browser.status("POST", THINGS));

        server.put(new AdminKey(
                record.id(),
                "a",
                record.prefix(),
                record.hash(),
                KeyStatus.ACTIVE,
                record.created(),
                Role.VIEWER,
                null,
                null));

        assertEquals(403, browser.status("POST", THINGS));
        assertEquals(200, browser.status("GET", THINGS));
        assertTrue(browser.send("GET", PATH).body().contains("\"role\":\"viewer\""));
    }

    @Test
    void shouldStayWithinTheTenantOfTheKey() {
        server.tenant(TenantStatus.ACTIVE);
        ApiKey key = SessionServer.newKey();
        server.adminKey(key, Role.ADMIN, "acme");
        Browser browser = server.browser(key);

        assertTrue(browser.send("GET", PATH).body().contains("\"tenant\":\"acme\""));
        assertEquals(200, browser.status("POST", THINGS));
        assertEquals(200, browser.status("POST", THINGS, "Tenant-ID", "acme"));
        assertEquals(403, browser.status("POST", THINGS, "Tenant-ID", "pool"));
        assertEquals(403, browser.status("PATCH", "/admin/v1/instance"));
        server.tenant(TenantStatus.ARCHIVED);
        assertEquals(403, browser.status("GET", THINGS));
        assertEquals(403, server.signIn(key.text()).statusCode(), "could do nothing");
    }

    @ParameterizedTest
    @EnumSource
    void shouldEnforceTheRole(Role role) {
        ApiKey key = SessionServer.newKey();
        server.adminKey(key, role, null);
        Browser browser = server.browser(key);

        assertEquals(role.permits(Role.EDITOR) ? 200 : 403, browser.status("POST", THINGS));
        assertEquals(role.permits(Role.SUPPORT) ? 200 : 403, browser.status("POST", "/v1/things"));
        assertEquals(role.permits(Role.ADMIN) ? 200 : 403, browser.status("PATCH", "/admin/v1/instance"));
    }

    @Test
    void shouldEndAfterEightHours() {
        Browser browser = server.browser(START_KEY);

        server.now = server.now.plus(Duration.ofHours(8)).minusMillis(1);
        assertEquals(200, browser.status("GET", THINGS));
        server.now = server.now.plusMillis(1);
        assertEquals(401, browser.status("GET", THINGS));
    }

    /** All processes of an instance have the start key and the secret in common. */
    @Test
    void shouldBeAcceptedByEveryProcessOfTheInstanceOnly() {
        String cookie = server.browser(START_KEY).cookie.replaceFirst("laurel_session=", "");

        assertNotNull(server.sessions(START_KEY, null).sessionOf(cookie, null));
        assertNull(server.sessions(SessionServer.newKey(), null).sessionOf(cookie, null), "the start key has changed");
        server.index.put(
                "secret/sessions/signing/", new AccessRecord.Secret(TenantId.NONE, "sessions", "signing", "another"));
        assertNull(server.sessions.sessionOf(cookie, null));
        server.index.put("secret/sessions/signing/", null);
        assertNull(server.sessions.sessionOf(cookie, null));
        assertEquals(
                503,
                assertThrows(HttpRefusal.class, () -> server.sessions.startWithStartKey())
                        .status());
    }

    @Test
    void shouldRefuseForgedCookies() {
        Browser browser = server.browser(START_KEY);
        String other = server.browser(START_KEY).cookie.replaceFirst("laurel_session=", "; laurel_session=");
        String cookie = browser.cookie;
        for (String forged : List.of(
                "laurel_session=",
                "laurel_session=x",
                cookie.substring(0, cookie.length() - 2),
                cookie + "AA",
                cookie.replaceFirst("=..", "=AA"),
                cookie + other,
                "laurel_session=" + START_KEY.text())) {
            HttpResponse<String> answer = server.send("GET", THINGS, null, "Cookie", forged);
            assertEquals(401, answer.statusCode(), forged);
            assertTrue(answer.body().contains("error"), answer.body());
        }
        assertEquals(
                200,
                server.send("GET", THINGS, null, "Cookie", "a=b; " + cookie).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void shouldRequireTheCsrfTokenForEveryChange(String method) {
        Browser browser = server.browser(START_KEY);
        Browser other = server.browser(START_KEY);
        for (String token : List.of("", "x", other.csrfToken, browser.csrfToken + "x")) {
            HttpResponse<String> answer =
                    server.send(method, THINGS, "{}", "Cookie", browser.cookie, "X-CSRF-Token", token);
            assertEquals(403, answer.statusCode(), token);
            assertTrue(answer.body().contains("X-CSRF-Token"), answer.body());
        }
        assertEquals(
                403, server.send(method, THINGS, "{}", "Cookie", browser.cookie).statusCode());
    }

    @Test
    void shouldRequireNoCsrfTokenForReads() {
        Browser browser = server.browser(START_KEY);

        assertEquals(
                200, server.send("GET", THINGS, null, "Cookie", browser.cookie).statusCode());
        assertEquals(
                200, server.send("HEAD", THINGS, null, "Cookie", browser.cookie).statusCode());
        assertEquals(
                403,
                server.send("POST", THINGS, "{}", "Cookie", browser.cookie, "X-HTTP-Method-Override", "GET")
                        .statusCode());
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Sec-Fetch-Site, same-origin, 200",
        "Sec-Fetch-Site, none, 200",
        "Origin, https://evil.example, 403",
        "Origin, null, 403",
        "Origin, '', 403",
        "Origin, http://127.0.0.1, 403",
        "Origin, http://127.0.0.1:PORT, 200",
        "Origin, https://127.0.0.1:PORT, 200",
        "Origin, http://127.0.0.1:PORT.evil.example, 403",
        "Origin, http://evil@127.0.0.1:PORT, 403"
    })
    void shouldServeOwnPagesOnly(String header, String value, int status) {
        String given = value.replace("PORT", Integer.toString(server.port()));
        Browser browser = server.browser(START_KEY);
        for (String method : List.of("GET", "POST")) {
            assertEquals(
                    status,
                    server.send(
                                    method,
                                    THINGS,
                                    "{}",
                                    "Cookie",
                                    browser.cookie,
                                    "X-CSRF-Token",
                                    browser.csrfToken,
                                    header,
                                    given)
                            .statusCode(),
                    method);
        }
        assertEquals(status, server.signIn(START_KEY.text(), header, given).statusCode());
        assertEquals(
                200,
                server.send("POST", THINGS, "{}", "X-API-KEY", START_KEY.text(), header, given)
                        .statusCode(),
                "a key is not sent by itself");
    }

    @Test
    void shouldPreferTheKey() {
        ApiKey viewer = SessionServer.newKey();
        server.adminKey(viewer, Role.VIEWER, null);
        Browser browser = server.browser(START_KEY);

        assertEquals(
                "\"viewer\"",
                browser.send("GET", THINGS, "X-API-KEY", viewer.text()).body());
        assertEquals(403, browser.status("POST", THINGS, "X-API-KEY", viewer.text()));
        assertEquals(401, browser.status("GET", THINGS, "X-API-KEY", "wrong"));
        assertEquals(
                200,
                server.send(
                                "POST",
                                THINGS,
                                "{}",
                                "Cookie",
                                server.browser(viewer).cookie,
                                "X-API-KEY",
                                START_KEY.text())
                        .statusCode(),
                "without a CSRF token");
        assertEquals(200, browser.status("GET", THINGS, "X-API-KEY", ""));
    }

    /** A sign-in starts a new session, so that a session known from before gives no access. */
    @Test
    void shouldNeverKeepASessionFromBeforeTheSignIn() {
        ApiKey viewer = SessionServer.newKey();
        server.adminKey(viewer, Role.VIEWER, null);
        Browser before = server.browser(viewer);
        Browser after = server.new Browser(server.signIn(START_KEY.text(), "Cookie", before.cookie));
        Browser again = server.new Browser(server.signIn(START_KEY.text(), "Cookie", after.cookie));

        assertNotEquals(before.cookie, after.cookie);
        assertNotEquals(after.cookie, again.cookie);
        assertNotEquals(after.csrfToken, again.csrfToken);
        assertEquals("\"viewer\"", before.send("GET", THINGS).body(), "gains nothing");
    }

    @Test
    void shouldSignOut() {
        Browser browser = server.browser(START_KEY);
        HttpResponse<String> without = server.send("DELETE", PATH, null, "Cookie", browser.cookie);
        HttpResponse<String> answer = browser.send("DELETE", PATH);

        assertEquals(403, without.statusCode());
        assertEquals(List.of(), without.headers().allValues("Set-Cookie"));
        assertEquals(204, answer.statusCode());
        assertEquals("", answer.body());
        assertEquals(
                List.of("laurel_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"),
                answer.headers().allValues("Set-Cookie"));
        for (String cookie : List.of("a=b", "laurel_session=ended", browser.cookie + "; " + browser.cookie)) {
            assertEquals(
                    204, server.send("DELETE", PATH, null, "Cookie", cookie).statusCode(), cookie);
            assertEquals(
                    403,
                    server.send("DELETE", PATH, null, "Cookie", cookie, "Sec-Fetch-Site", "cross-site")
                            .statusCode(),
                    cookie);
        }
    }

    @Test
    void shouldSignInWithALinkOnce() {
        String token = server.links.newPath().replaceFirst(".*=", "");
        HttpResponse<String> answer = server.send("POST", PATH, "{\"link\": \"" + token + "\"}");

        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals("\"start\"", server.new Browser(answer).send("GET", THINGS).body());
        assertEquals(
                401, server.send("POST", PATH, "{\"link\": \"" + token + "\"}").statusCode());
        String late = server.links.newPath().replaceFirst(".*=", "");
        server.now = server.now.plus(SignInLinks.LIFE);
        assertEquals(
                401, server.send("POST", PATH, "{\"link\": \"" + late + "\"}").statusCode());
    }

    @Test
    void shouldNotSignInWithALinkOnceTheStartKeyIsRevoked() {
        String token = server.links.newPath().replaceFirst(".*=", "");
        revoke(server.index.adminKey(AccessRecord.startKeyId(START_KEY.hash())));

        assertEquals(
                401, server.send("POST", PATH, "{\"link\": \"" + token + "\"}").statusCode());
    }

    @Test
    void shouldKeepAHundredLinks() {
        String first = server.links.newPath().replaceFirst(".*=", "");
        String second = server.links.newPath().replaceFirst(".*=", "");
        IntStream.range(0, 99).forEach(_ -> server.links.newPath());

        assertFalse(server.links.use(first));
        assertTrue(server.links.use(second));
    }

    @Test
    void shouldLimitFailedTries() {
        for (int i = 0; i < SignInLimits.PER_ADDRESS; i++) {
            assertEquals(200, server.signIn(START_KEY.text()).statusCode(), "successes do not count");
            assertEquals(401, server.signIn("wrong").statusCode());
        }
        HttpResponse<String> answer = server.signIn(START_KEY.text());

        assertEquals(429, answer.statusCode());
        assertTrue(Integer.parseInt(answer.headers().firstValue("Retry-After").orElseThrow()) > 0);
        assertEquals(
                200,
                server.send("GET", THINGS, null, "X-API-KEY", START_KEY.text()).statusCode());
    }

    @Test
    void shouldLimitFailedTriesOfAllAddresses() {
        long[] nowNs = {0};
        var limits = new SignInLimits(new TimeMeter() {

            @Override
            public long currentTimeNanos() {
                return nowNs[0];
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        });
        for (int i = 0; i < SignInLimits.PER_ADDRESS; i++) {
            limits.begin("2001:db8::" + i);
        }
        assertEquals(6, refusal(limits, "2001:db8::ffff").retryAfterS(), "the same network");
        for (int i = SignInLimits.PER_ADDRESS; i < SignInLimits.TOTAL; i++) {
            limits.begin("10.0.0." + i);
        }
        assertEquals(1, refusal(limits, "10.0.1.1").retryAfterS());
        nowNs[0] = Duration.ofSeconds(1).toNanos();
        limits.begin("10.0.1.1");
        limits.uncount("10.0.1.1");
        limits.begin("10.0.1.1");
        assertEquals(429, refusal(limits, "10.0.1.1").status());
    }

    private static HttpRefusal refusal(SignInLimits limits, String address) {
        return assertThrows(HttpRefusal.class, () -> limits.begin(address));
    }

    @Test
    void shouldSayThatThereIsNoProvider() {
        assertEquals(
                "{\"oidc\":null}", server.send("GET", PATH + "/providers", null).body());
        assertEquals(404, server.send("GET", PATH + "/oidc", null).statusCode());
        assertEquals(
                404,
                server.send("GET", PATH + "/oidc/callback?code=x&state=y", null).statusCode());
    }
}
