package dev.laurel.platform.session;

import static dev.laurel.platform.session.SessionServer.PATH;
import static dev.laurel.platform.session.SessionServer.START_KEY;
import static dev.laurel.platform.session.StubProvider.CODE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.laurel.platform.http.Sessions.Session;
import dev.laurel.platform.session.OidcSettings.GroupRole;
import dev.laurel.platform.session.SessionServer.Browser;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.Role;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sign-in against a provider on the loopback address. */
class OidcRoutesTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final URI CALLBACK = URI.create("https://laurel.example/admin/v1/session/oidc/callback");
    private static final String THINGS = "/admin/v1/things";

    private StubProvider provider;
    private SessionServer server;

    @BeforeEach
    void start() throws Exception {
        provider = new StubProvider(NOON);
        server = new SessionServer(
                settings(StubProvider.SECRET, "admins=admin", "editors=editor@acme", "support=support"));
    }

    @AfterEach
    void stop() {
        server.close();
        provider.close();
    }

    private OidcSettings settings(String secret, String... roles) {
        return new OidcSettings(
                provider.issuer(),
                StubProvider.CLIENT,
                secret,
                CALLBACK,
                "Example",
                List.of("openid", "email"),
                "groups",
                List.of(roles).stream().map(GroupRole::parse).toList());
    }

    /** A browser at the provider. */
    private final class Visit {

        private final HttpResponse<String> sent;

        Visit(String query) {
            sent = server.send("GET", PATH + "/oidc" + query, null);
            assertEquals(302, sent.statusCode(), sent.body());
            provider.authorize(URI.create(sent.headers().firstValue("Location").orElseThrow()));
        }

        HttpResponse<String> comeBack() {
            return comeBack(
                    SessionServer.cookieOf(sent, "laurel_sign_in"),
                    "code=" + CODE + "&state=" + provider.authorization("state"));
        }

        HttpResponse<String> comeBack(String cookie, String query) {
            return server.send(
                    "GET", PATH + "/oidc/callback?" + query, null, "Cookie", cookie, "Sec-Fetch-Site", "cross-site");
        }
    }

    private HttpResponse<String> signIn() {
        return new Visit("").comeBack();
    }

    private Browser browser() {
        HttpResponse<String> answer = signIn();
        assertEquals(302, answer.statusCode(), answer.body());
        String cookie = SessionServer.cookieOf(answer, "laurel_session");
        return server.new Browser(cookie, server.send("GET", PATH, null, "Cookie", cookie));
    }

    private static void expectRefused(HttpResponse<String> answer, int status, String words) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains(words), answer.body());
        assertEquals(
                "text/html;charset=utf-8",
                answer.headers().firstValue("Content-Type").orElseThrow());
        assertTrue(answer.headers()
                .firstValue("Content-Security-Policy")
                .orElseThrow()
                .contains("default-src 'none'"));
        assertTrue(
                answer.headers().allValues("Set-Cookie").stream().noneMatch(set -> set.startsWith("laurel_session")));
    }

    @Test
    void shouldSignInAPersonWithTheRoleOfTheGroup() {
        var visit = new Visit("?returnTo=%2Fconsole%2F%23%2Fusers%3Fsearch%3Dida");
        HttpResponse<String> answer = visit.comeBack();

        assertEquals(
                "/console/#/users?search=ida",
                answer.headers().firstValue("Location").orElseThrow());
        List<String> cookies = answer.headers().allValues("Set-Cookie");
        assertTrue(cookies.contains("laurel_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"), cookies::toString);
        String cookie = SessionServer.cookieOf(answer, "laurel_session");
        assertTrue(cookies.contains(cookie + "; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict"), cookies::toString);
        HttpResponse<String> shown = server.send("GET", PATH, null, "Cookie", cookie);
        assertTrue(
                shown.body().startsWith("{\"name\":\"ida@example.net\",\"role\":\"support\",\"tenant\":null,"),
                shown.body());
        Browser browser = server.new Browser(cookie, shown);
        assertEquals(200, browser.status("GET", THINGS));
        assertEquals(200, browser.status("POST", "/v1/things"));
        HttpResponse<String> refused = browser.send("POST", THINGS);
        assertEquals(403, refused.statusCode());
        assertTrue(refused.body().contains("the person has the role support"), refused.body());
    }

    @Test
    void shouldAskTheProviderAsTheStandardSays() {
        var visit = new Visit("");
        String cookie = visit.sent.headers().firstValue("Set-Cookie").orElseThrow();

        assertTrue(
                cookie.matches("laurel_sign_in=[A-Za-z0-9_-]+; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"), cookie);
        assertEquals("t", provider.authorization("tenant"), "of the endpoint itself");
        assertEquals("code", provider.authorization("response_type"));
        assertEquals("laurel", provider.authorization("client_id"));
        assertEquals(CALLBACK.toString(), provider.authorization("redirect_uri"));
        assertEquals("openid email", provider.authorization("scope"));
        assertEquals("S256", provider.authorization("code_challenge_method"));
        assertEquals(302, visit.comeBack().statusCode());
        assertEquals(
                "Basic " + Base64.getEncoder().encodeToString("laurel:s3cret%3A+with+%25+and+%2B".getBytes()),
                provider.tokenRequest.get("Authorization"));
        assertNull(provider.tokenRequest.get("client_secret"));
    }

    @Test
    void shouldSendTheSecretAsTheProviderTakesIt() {
        provider.metadata.put("token_endpoint_auth_methods_supported", List.of("client_secret_post"));

        assertEquals(302, signIn().statusCode());
        assertEquals(StubProvider.SECRET, provider.tokenRequest.get("client_secret"));
        assertNull(provider.tokenRequest.get("Authorization"));
    }

    @Test
    void shouldSignInWithoutASecret() {
        server.close();
        server = new SessionServer(settings(null, "support=viewer"));

        assertEquals(302, signIn().statusCode());
        assertEquals("laurel", provider.tokenRequest.get("client_id"));
        assertNull(provider.tokenRequest.get("Authorization"));
    }

    @Test
    void shouldOfferTheProvider() {
        assertEquals(
                "{\"oidc\":{\"name\":\"Example\",\"url\":\"/admin/v1/session/oidc\"}}",
                server.send("GET", PATH + "/providers", null).body());
    }

    @Test
    void shouldTakeTheFirstRoleOfSeveralGroups() {
        server.tenant(TenantStatus.ACTIVE);
        provider.claims.claim("groups", List.of("support", "editors", "x"));
        Browser browser = browser();

        assertTrue(browser.send("GET", PATH).body().contains("\"role\":\"editor\",\"tenant\":\"acme\""));
        assertEquals(200, browser.status("POST", THINGS));
        assertEquals(403, browser.status("POST", THINGS, "Tenant-ID", "pool"));
        provider.claims.claim("groups", "admins");
        assertEquals(200, browser().status("PATCH", "/admin/v1/instance"), "one group, not a list");
    }

    @Test
    void shouldRefuseAPersonWithoutAGroup() {
        for (Object groups : new Object[] {List.of(), List.of("all", "Support"), "x", 5, null}) {
            provider.claims.claim("groups", groups);
            expectRefused(signIn(), 403, "None of your groups has a role");
        }
    }

    /** A session names the group; what it may do is asked at each request. */
    @Test
    void shouldEndWithTheGroup() {
        String cookie = browser().cookie.replaceFirst("laurel_session=", "");

        assertNotNull(session(settings(StubProvider.SECRET, "support=support"), cookie));
        assertEquals(
                Role.VIEWER,
                session(settings(null, "support=viewer"), cookie)
                        .grant()
                        .actor()
                        .role());
        assertNull(session(settings(StubProvider.SECRET, "admins=admin"), cookie), "has no role any more");
        assertNull(session(null, cookie), "no provider any more");
        var other = new OidcSettings(
                provider.issuer(),
                "other",
                null,
                CALLBACK,
                "Example",
                List.of("openid"),
                "groups",
                List.of(GroupRole.parse("support=admin")));
        assertNull(session(other, cookie), "another client");
        server.now = server.now.plus(Duration.ofHours(8));
        assertNull(session(settings(null, "support=support"), cookie));
    }

    private Session session(OidcSettings settings, String cookie) {
        return server.sessions(START_KEY, settings).sessionOf(cookie, null);
    }

    private void expectInvalid(Consumer<StubProvider> fault) {
        fault.accept(provider);
        expectRefused(signIn(), 403, "The provider's ID token is not valid.");
    }

    @Test
    void shouldRefuseATokenOfAnotherIssuer() {
        expectInvalid(stub -> stub.claims.issuer("https://evil.example"));
    }

    @Test
    void shouldRefuseATokenForAnotherClient() {
        expectInvalid(stub -> stub.claims.audience("other"));
        provider.claims.audience(List.of("other", StubProvider.CLIENT)).claim("azp", "other");
        expectRefused(signIn(), 403, "another application");
    }

    @Test
    void shouldRefuseATokenOfAnotherSignIn() {
        expectInvalid(stub -> stub.claims.claim("nonce", "another"));
    }

    @Test
    void shouldRefuseAnExpiredToken() {
        expectInvalid(stub -> stub.claims.expirationTime(Date.from(NOON.minusSeconds(61))));
    }

    @Test
    void shouldRefuseATokenWithoutSubjectOrTimes() {
        expectInvalid(stub -> stub.claims.expirationTime(null));
        provider.claims.expirationTime(Date.from(NOON.plusSeconds(60)));
        expectInvalid(stub -> stub.claims.subject(null));
    }

    @Test
    void shouldRefuseATokenWithAnotherSignature() throws Exception {
        var other = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        expectInvalid(stub -> stub.signing = claims -> StubProvider.signed(claims, other));
        expectInvalid(stub -> stub.signing = claims -> new PlainJWT(claims).serialize());
        expectInvalid(stub -> stub.signing = claims -> {
            // The public key as if it were a shared secret.
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), claims);
            token.sign(new MACSigner(provider.key.toPublicJWK().toString()));
            return token.serialize();
        });
        expectInvalid(stub -> stub.signing = _ -> "nonsense");
    }

    @Test
    void shouldRefuseASubjectThatIsTooLong() {
        provider.claims.subject("s".repeat(701));
        expectRefused(signIn(), 403, "too long");
    }

    @Test
    void shouldRefuseABrowserThatHasNotBegun() {
        var visit = new Visit("");
        String cookie = SessionServer.cookieOf(visit.sent, "laurel_sign_in");
        String valid = "code=" + CODE + "&state=" + provider.authorization("state");
        var other = new Visit("");
        for (HttpResponse<String> answer : List.of(
                visit.comeBack("a=b", valid),
                visit.comeBack("laurel_sign_in=forged", valid),
                visit.comeBack(cookie, "code=" + CODE),
                visit.comeBack(cookie, "code=" + CODE + "&state=wrong"),
                visit.comeBack(SessionServer.cookieOf(other.sent, "laurel_sign_in"), valid),
                visit.comeBack(cookie + "; " + cookie, valid))) {
            expectRefused(answer, 403, "begun in another browser");
        }
        server.now = server.now.plus(SetCookie.SIGN_IN_LIFE);
        expectRefused(visit.comeBack(cookie, valid), 403, "expired");
    }

    @Test
    void shouldSayThatTheProviderRefused() {
        var visit = new Visit("");
        String cookie = SessionServer.cookieOf(visit.sent, "laurel_sign_in");
        String state = "&state=" + provider.authorization("state");

        expectRefused(
                visit.comeBack(cookie, "error=access_denied" + state), 403, "refused the sign-in: access_denied.");
        HttpResponse<String> hostile = visit.comeBack(cookie, "error=%3Cscript%3E" + state);
        expectRefused(hostile, 403, "refused the sign-in.");
        assertFalse(hostile.body().contains("script"), hostile.body());
        expectRefused(visit.comeBack(cookie, "code=wrong" + state), 403, "did not accept");
    }

    @Test
    void shouldSayThatTheProviderIsAwayAndStillSignInWithAKey() {
        var visit = new Visit("");
        provider.tokenStatus = 500;
        for (int i = 0; i <= SignInLimits.PER_ADDRESS; i++) {
            expectRefused(visit.comeBack(), 503, "cannot be reached");
        }
        provider.close();
        expectRefused(visit.comeBack(), 503, "cannot be reached");
        server.now = server.now.plus(Duration.ofHours(2));
        HttpResponse<String> answer = server.send("GET", PATH + "/oidc", null);

        expectRefused(answer, 503, "sign in with a key");
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
        assertEquals(200, server.signIn(START_KEY.text()).statusCode());
    }

    @ParameterizedTest
    @CsvSource({
        "issuer, https://evil.example",
        "token_endpoint, http://evil.example/token",
        "jwks_uri, nonsense",
        "authorization_endpoint, javascript:alert(1)"
    })
    void shouldNotTrustAnotherProvider(String field, String value) {
        provider.metadata.put(field, value);

        expectRefused(server.send("GET", PATH + "/oidc", null), 503, "cannot be reached");
    }

    @Test
    void shouldLimitFailedTries() {
        for (int i = 0; i < SignInLimits.PER_ADDRESS; i++) {
            assertEquals(401, server.signIn("wrong").statusCode());
        }
        expectRefused(signIn(), 429, "Too many");
        assertEquals(403, new Visit("").comeBack("a=b", "code=x").statusCode(), "nothing to guess");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/", "/console/#/users?search=a&b=%20c", "/console/index.html?x=1#/a/b"})
    void shouldReturnToPagesOfTheConsole(String path) {
        assertEquals(path, OidcRoutes.pathOf(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "https://evil.example/console/",
                "//evil.example/console/",
                "/console",
                "/console/../admin/v1/settings",
                "/console/%2e%2e/x",
                "/console/%2E./x",
                "/console/..",
                "/console//evil",
                "/console/\\evil",
                "/console/\r\nSet-Cookie: a=b",
                "/console/ü",
                "\\\\evil.example",
                "/consolex/",
                "javascript:alert(1)",
                "/console/<script>",
                "/\\evil.example/console/",
                "%2f%2fevil.example/console/",
                "/%2f%2fevil.example/console/",
                "\t//evil.example/console/",
                "JaVaScRiPt:/console/",
                "data:text/html,/console/",
                "/console/\t/evil.example",
                "///evil.example/console/",
                "https:/console/",
                "/console/%2e./%2e./evil"
            })
    void shouldReturnNowhereElse(String path) {
        assertEquals("/console/", OidcRoutes.pathOf(path));
    }

    @Test
    void shouldReturnToTheConsoleByDefault() {
        assertEquals("/console/", OidcRoutes.pathOf(null));
        assertEquals("/console/", OidcRoutes.pathOf("/console/" + "a".repeat(1_000)));
        assertEquals("/console/", signIn().headers().firstValue("Location").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"ops=admin, ops, ADMIN,", "cn=ops=viewer@acme, cn=ops, VIEWER, acme", "a=editor@b@c, a, EDITOR, b@c"})
    void shouldReadRolesOfGroups(String text, String group, Role role, String tenant) {
        assertEquals(new GroupRole(group, role, tenant), GroupRole.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ops", "=admin", "ops=", "ops=root", "ops=admin@", "ops=ADMIN"})
    void shouldRefuseOtherRoles(String text) {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> GroupRole.parse(text))
                .getMessage()
                .contains("group=role"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://id.example, https://laurel.example/admin/v1/session/oidc/callback",
        "https://id.example, http://laurel.example/admin/v1/session/oidc/callback",
        "https://id.example, https://laurel.example/",
        "ftp://id.example, https://l.example/v1/session/oidc/callback",
        "id.example, https://laurel.example/v1/session/oidc/callback",
        "https://a@id.example, https://laurel.example/v1/session/oidc/callback"
    })
    void shouldRefuseAddressesThatAreNotSafe(URI issuer, URI callback) {
        var roles = List.of(GroupRole.parse("ops=admin"));
        assertThrows(
                IllegalArgumentException.class,
                () -> new OidcSettings(issuer, "laurel", null, callback, "n", List.of("openid"), "groups", roles));
    }
}
