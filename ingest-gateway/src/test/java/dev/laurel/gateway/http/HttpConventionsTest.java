package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conventions of all routes: key, errors, methods, limits, URIs. */
@Timeout(60)
class HttpConventionsTest {

    private static final String PATH = "/v1/metrics/laps-swum/event";
    private static final String EVENT = "{\"user\":{\"id\":\"ida\"},\"value\":4}";
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    @AutoClose
    private final GatewayHttp gateway = new GatewayHttp(Duration.ofSeconds(20));

    @ParameterizedTest
    @ValueSource(strings = {"X-API-KEY: ", "X-API-KEY: wrong", "X-API-KEY: testkey1.0123456789abcdeF", "X-Other: 1"})
    void shouldAnswer401WithoutAValidKey(String header) {
        assertError(401, gateway.client.send("POST", PATH, EVENT, header));
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldCheckTheKeyBeforeTheRoute() {
        assertError(401, gateway.client.send("GET", "/nope", "", "X-Other: 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET," + PATH + ",POST",
        "DELETE,/v1/users/ida,'GET, PATCH, PUT'",
        "OPTIONS,/v1/users/ida,'GET, PATCH, PUT'",
        "TRACE,/admin/v1/ruleset,'GET, PUT'",
        "SPIN,/api/users,POST",
        "POST,/v1/achievements,GET",
        "DELETE,/v1/users/ida/streak,GET",
        "PUT,/api/leaderboards/lanes/,GET",
        "PATCH,/v1/users/a%2Fb/metrics/laps,GET",
        "POST,/admin/v1/ruleset,'GET, PUT'"
    })
    void shouldAnswer405AndListTheMethodsOfTheWholeDeployment(String method, String path, String allowed) {
        var response = gateway.client.send(method, path, "");

        assertError(405, response);
        assertEquals(allowed, response.headers().get("allow"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nope",
                "//v1/users",
                "/v1//users",
                "/V1/users",
                "/",
                "/v1/metrics/laps-swum/event//",
                "/v1/users//streak",
                "/admin/v1/test-clock"
            })
    void shouldAnswer404ToUnknownRoute(String path) {
        assertError(404, gateway.client.post(path, EVENT));
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/users/", "PATCH, /api/users/", "PUT, /v1/users/?a=b"})
    void shouldAnswer404ToObjectWithEmptyId(String method, String path) {
        assertError(404, gateway.client.send(method, path, "{}"));
        assertTrue(gateway.log.commands.isEmpty());
    }

    @Test
    void shouldIgnoreTrailingSlashOfCollection() {
        assertEquals(201, gateway.client.post("/v1/users/", "{\"id\":\"ida\"}").status());
        assertError(405, gateway.client.send("DELETE", "/v1/users/", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/users/%",
                "/v1/users/%zz",
                "/v1/users/%00",
                "/v1/users/%C3%28",
                "/v1/users/%ED%A0%80",
                "/v1/users/%u0041",
                "/v1/users/a b",
                "*",
                "v1/users/ida",
                "http://elsewhere/v1/users/ida"
            })
    void shouldAnswer400ToInvalidUris(String path) {
        assertError(400, gateway.client.send("PUT", path, "{}"));
        assertTrue(gateway.log.commands.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PUT /v1/users/ida HTTP/1.1~bad header~~           | 400
        PUT /v1/users/ida HTTP/1.1~~                      | 400
        nonsense~~                                        | 400
        PUT /v1/users/ida HTTP/9.9~Host: x~~              | 505
        CONNECT /v1/users/ida HTTP/1.1~Host: x~~          | 400
        POST /v1/users HTTP/1.1~Host: x~Expect: tea~~     | 417
        """)
    void shouldAnswerInJsonToMalformedHttp(String request, int status) {
        assertError(status, gateway.client.exchange(request.replace("~", "\r\n").getBytes(UTF_8)));
    }

    @Test
    void shouldAnswer400ToMalformedChunks() {
        assertError(
                400,
                gateway.client.exchange(("POST " + PATH + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: "
                                + RawHttp.KEY + "\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
                        .getBytes(UTF_8)));
    }

    @Test
    void shouldAnswer431ToHeadersThatAreTooLarge() {
        assertError(431, gateway.client.send("PUT", "/v1/users/ida", "{}", "X-Long: " + "x".repeat(20_000)));
    }

    @Test
    void shouldAnswer414ToUriThatIsTooLong() {
        assertError(414, gateway.client.send("PUT", "/v1/users/" + "x".repeat(20_000), "{}"));
    }

    @Test
    void shouldAcceptBodyOfExactlyOneMebibyte() {
        assertEquals(
                201,
                gateway.client
                        .post(PATH, EVENT + " ".repeat(MAX_BODY_BYTES - EVENT.length()))
                        .status());
    }

    @Test
    void shouldAnswer413ToBodyOfMoreThanOneMebibyte() {
        assertError(413, gateway.client.post(PATH, EVENT + " ".repeat(MAX_BODY_BYTES + 1 - EVENT.length())));
    }

    @Test
    void shouldAnswer413WithoutReadingAVeryLargeBody() {
        assertError(
                413,
                gateway.client.exchange(("POST " + PATH + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: "
                                + RawHttp.KEY + "\r\nContent-Length: 99999999999\r\n\r\n{")
                        .getBytes(UTF_8)));
    }

    @Test
    void shouldAnswer413ToChunkedBodyThatIsTooLarge() {
        assertError(
                413,
                gateway.client.exchange(("POST " + PATH + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-KEY: "
                                + RawHttp.KEY + "\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n"
                                + " ".repeat(0x200000)
                                + "\r\n0\r\n\r\n")
                        .getBytes(UTF_8)));
    }

    @Test
    void shouldRefuseWebSockets() {
        var response = gateway.client.send(
                "GET",
                "/v1/users/ida",
                "",
                "X-API-KEY: " + RawHttp.KEY,
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13");

        assertError(404, response);
    }

    @Test
    void shouldKeepValidRequestIdAndReplaceInvalidOnes() {
        String key = "X-API-KEY: " + RawHttp.KEY;

        assertEquals(
                "abc-1",
                gateway.client
                        .send("PUT", "/v1/users/ida", "{}", key, "X-Request-Id: abc-1")
                        .headers()
                        .get("x-request-id"));
        assertFalse(gateway.client
                .send("PUT", "/v1/users/ida", "{}", key, "X-Request-Id: a b")
                .headers()
                .get("x-request-id")
                .contains(" "));
    }

    @Test
    void shouldRunEachRequestOnVirtualThread() {
        var isVirtual = new AtomicBoolean();
        gateway.log.onRequest = _ -> {
            isVirtual.set(Thread.currentThread().isVirtual());
            throw new IllegalStateException("seen");
        };

        assertError(500, gateway.client.post(PATH, EVENT));
        assertTrue(isVirtual.get());
    }

    @Test
    void shouldAnswerInJsonToErrorsOfTheJvm() {
        gateway.log.onRequest = _ -> {
            throw new StackOverflowError();
        };

        assertError(500, gateway.client.post(PATH, EVENT));
    }

    @Test
    void shouldReportInOneLineThatThePortIsInUse() {
        var failure = assertThrows(
                CommandFailed.class,
                () -> TestServer.start(
                        new HttpSettings.Address("127.0.0.1", gateway.port()),
                        new BootstrapKey(RawHttp.KEY),
                        List.of()));

        assertEquals("cannot listen on 127.0.0.1:" + gateway.port() + ": Address already in use", failure.getMessage());
    }

    private static void assertError(int status, RawHttp.Response response) {
        assertEquals(status, response.status(), response.body());
        assertEquals("application/json", response.contentType());
        assertTrue(response.body().matches("\\{\"error\":\"[^\"]+\"}"), response.body());
        assertFalse(response.headers().get("x-request-id").isEmpty());
        assertFalse(response.headers().containsKey("set-cookie"));
    }
}
