package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.HttpSettings.RequestLimits.Tier;
import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conventions that the server applies to all routes, over a socket. */
@Timeout(20)
class HttpServerTest {

    private static final byte[] OK = "{\"ok\":true}".getBytes(UTF_8);
    private static final HttpSettings.Address ANY = new HttpSettings.Address("127.0.0.1", 0);

    private final List<String> counted = new ArrayList<>();
    private final List<String> tenants = new CopyOnWriteArrayList<>();
    private Charset encoding = UTF_8;

    @AutoClose
    private HttpServer server = start(TestServer.at(ANY).withAdminHost("Admin.play.example"));

    private HttpServer start(TestServer settings) {
        return TestServer.start(
                settings,
                (key, customerId) -> switch (key) {
                    case "key" -> grant(customerId);
                    default -> null;
                },
                List.of(routes -> routes.get(
                                "/v1/users/{id}", RequiredRole.VIEWER, context -> Answers.answer(context, 200, OK))
                        .post("/v1/metrics/{key}/event", RequiredRole.VIEWER, context -> {
                            Json.readForeign(context.bodyAsBytes(), Map.class);
                            Answers.answer(context, 201, OK);
                        })
                        .get(
                                "/v1/things",
                                RequiredRole.VIEWER,
                                context -> Answers.answer(context, 200, "\"app\"".getBytes(UTF_8)))
                        .get(
                                "/admin/v1/things",
                                RequiredRole.VIEWER,
                                context -> Answers.answer(context, 200, "\"admin\"".getBytes(UTF_8)))
                        .get("/v1/fault", RequiredRole.VIEWER, _ -> {
                            throw new IllegalStateException("expected by the test");
                        })));
    }

    private Grant grant(String customerId) {
        tenants.add(String.valueOf(customerId));
        return Grant.of(Principal.Admin.UNLIMITED, "prefix", new TenantId("acme"));
    }

    private void restart(TestServer settings) {
        server.close();
        server = start(settings);
    }

    /** @param headers by lower-case name */
    private record Answer(int status, Map<String, String> headers, String body) {}

    private Answer send(String method, String path, String body, String... headers) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nConnection: close\r\nContent-Length: "
                    + body.length() + "\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            if (Arrays.stream(headers).noneMatch(header -> header.startsWith("Host"))) {
                head.append("Host: localhost\r\n");
            }
            socket.getOutputStream().write((head + "\r\n" + body).getBytes(encoding));
            String[] parts = new String(socket.getInputStream().readAllBytes(), UTF_8).split("\r\n\r\n", 2);
            var found = new TreeMap<String, String>();
            for (String line : parts[0].split("\r\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    found.put(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            line.substring(colon + 1).strip());
                }
            }
            return new Answer(Integer.parseInt(parts[0].split(" ")[1]), found, parts[1]);
        }
    }

    // Metrics.

    /** A port that is advertised before the server starts must not go to anybody else meanwhile. */
    @Test
    void shouldListenOnAPortThatIsHeldForIt() throws IOException {
        HttpSettings.Address held = HttpSettings.Address.held("127.0.0.1");
        assertThrows(BindException.class, () -> new ServerSocket(held.port(), 1, InetAddress.getLoopbackAddress()));
        server.close();

        server = start(TestServer.at(held));

        assertEquals(held.port(), server.port());
        server.close();
        new ServerSocket(held.port(), 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void shouldServeMetricsWithoutAKey() throws IOException {
        Answer answer = send("GET", "/metrics", "");

        assertEquals(200, answer.status());
        assertEquals(
                "text/plain; version=0.0.4; charset=utf-8", answer.headers().get("content-type"));
        assertTrue(answer.body().contains("\nlaurel_http_requests_in_flight 1.0\n"), answer.body());
    }

    @Test
    void shouldCountRequestsByTheirRoute() throws IOException {
        send("GET", "/v1/users/ida", "", "X-API-KEY: key");
        send("GET", "/v1/users/bo", "", "X-API-KEY: key");
        send("GET", "/v1/users/bo", "");
        send("GET", "/v1/nowhere", "", "X-API-KEY: key");
        send("GET", "/%zz", "");
        String metrics = send("GET", "/metrics", "").body();

        for (String line : List.of(
                "{method=\"GET\",route=\"/v1/users/{id}\",status=\"200\"} 2.0",
                "{method=\"none\",route=\"none\",status=\"401\"} 1.0",
                "{method=\"none\",route=\"none\",status=\"404\"} 1.0",
                "{method=\"none\",route=\"none\",status=\"400\"} 1.0")) {
            assertTrue(metrics.contains("\nlaurel_http_requests_total" + line), metrics);
        }
    }

    // Browsers.

    @ParameterizedTest
    @ValueSource(strings = {"/v1/users/ida", "/api/users/ida", "/v1/metrics/laps/event", "/v1/unknown"})
    void shouldAnswerPreflightsWithoutAKey(String path) throws IOException {
        Answer answer = send(
                "OPTIONS",
                path,
                "",
                "Origin: https://pool.example",
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: x-api-key,content-type,x-fern-language");

        assertEquals(200, answer.status());
        assertEquals("{}", answer.body());
        assertEquals("*", answer.headers().get("access-control-allow-origin"));
        assertTrue(answer.headers().get("access-control-allow-methods").contains("PATCH"));
        for (String header : List.of("X-API-KEY", "Content-Type", "Idempotency-Key", "Tenant-ID", "X-Fern-Language")) {
            assertTrue(answer.headers().get("access-control-allow-headers").contains(header), header);
        }
        assertNull(answer.headers().get("access-control-allow-credentials"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/users/ida, key, 200",
        "GET, /v1/users/ida, wrong, 401",
        "GET, /v1/unknown, key, 404",
        "PUT, /v1/users/ida, key, 405",
        "GET, /v1/users/%zz, key, 400",
        "GET, /v1/fault, key, 500",
        "OPTIONS, /v1/users/ida, wrong, 401"
    })
    void shouldSendCorsHeaderWithEveryResponseOfTheApplicationApi(String method, String path, String key, int status)
            throws IOException {
        Answer answer = send(method, path, "", "X-API-KEY: " + key);

        assertEquals(status, answer.status());
        assertEquals("*", answer.headers().get("access-control-allow-origin"));
        assertEquals("application/json", answer.headers().get("content-type"));
    }

    @Test
    void shouldLetPagesReadAllHeadersOfAnswers() throws IOException {
        Answer answer = send("GET", "/v1/users/ida", "", "X-API-KEY: key");

        assertEquals(
                "X-Request-Id, Retry-After, X-RateLimit-Reset, X-Laurel-Stale, X-Laurel-Warning",
                answer.headers().get("access-control-expose-headers"));
    }

    @Test
    void shouldSendNoCorsHeadersForTheAdminApi() throws IOException {
        Answer preflight = send(
                "OPTIONS",
                "/admin/v1/things",
                "",
                "Origin: https://pool.example",
                "Access-Control-Request-Method: GET");
        assertEquals(401, preflight.status());
        Answer answer = send("GET", "/admin/v1/things", "", "X-API-KEY: key", "Origin: https://pool.example");
        assertEquals(200, answer.status());
        for (Answer one : List.of(preflight, answer)) {
            assertTrue(one.headers().keySet().stream().noneMatch(name -> name.startsWith("access-control")));
        }
    }

    // The host name of the admin API.

    @ParameterizedTest
    @CsvSource({
        "admin.play.example, /v1/things, admin",
        "ADMIN.play.example:8080, /v1/things/, admin",
        "admin.play.example, /admin/v1/things, admin",
        "play.example, /v1/things, app",
        "admin.play.example.evil, /v1/things, app"
    })
    void shouldServeTheAdminApiUnderItsHostName(String host, String path, String expected) throws IOException {
        Answer answer = send("GET", path, "", "X-API-KEY: key", "Host: " + host);

        assertEquals("\"" + expected + "\"", answer.body());
        assertEquals(expected.equals("app"), answer.headers().containsKey("access-control-allow-origin"));
    }

    @Test
    void shouldServeNoApplicationRoutesUnderTheHostNameOfTheAdminApi() throws IOException {
        assertEquals(
                404,
                send("GET", "/v1/users/ida", "", "X-API-KEY: key", "Host: admin.play.example")
                        .status());
    }

    // Queries.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=%zz",
                "limit=%",
                "a=1&limit=%4",
                "limit=%C0%AF",
                "limit=%ED%A0%80",
                "limit=%FF",
                "search=%EF%BF%BD%FF",
                "%zz=1",
                "search=\uFFFD",
                "search=%E4%BD",
                "search=%F5%80%80%80"
            })
    void shouldRefuseQueriesThatCannotBeDecoded(String query) throws IOException {
        for (String path : List.of("/v1/users/ida", "/admin/v1/things")) {
            Answer answer = send("GET", path + "?" + query, "", "X-API-KEY: key");

            assertEquals(422, answer.status(), answer.body());
            assertEquals("{\"error\":\"The query is not valid percent-encoded UTF-8.\"}", answer.body());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "limit=5",
                "a+b=%2B",
                "search=%EF%BF%BD",
                "search=%F0%9F%98%80",
                "&&a&=b",
                "search=%00",
                "search=ä"
            })
    void shouldAcceptQueriesThatCanBeDecoded(String query) throws IOException {
        assertEquals(
                200, send("GET", "/v1/users/ida?" + query, "", "X-API-KEY: key").status());
    }

    // Headers.

    @ParameterizedTest
    @CsvSource({
        "acme, UTF-8, acme",
        "Zürich, UTF-8, Zürich",
        "Zürich, ISO-8859-1, Zürich",
        "東京, UTF-8, 東京",
        "UTF-8''%E6%9D%B1%E4%BA%AC, UTF-8, 東京",
        "utf-8''Z%c3%bcrich, UTF-8, Zürich",
        "acme%20, UTF-8, acme%20",
        "UTF-8''acme%20, UTF-8, 'acme '",
        "' acme ', UTF-8, acme",
        "'', UTF-8, ''"
    })
    void shouldReadTextInHeaders(String header, String charset, String text) throws IOException {
        encoding = Charset.forName(charset);

        assertEquals(
                200,
                send("GET", "/v1/users/ida", "", "X-API-KEY: key", "Tenant-ID: " + header)
                        .status());
        assertEquals(List.of(text), tenants);
    }

    @Test
    void shouldRefuseHeadersThatCannotBeDecoded() throws IOException {
        Answer answer = send("GET", "/admin/v1/things", "", "X-API-KEY: key", "Tenant-ID: UTF-8''%C3%28");

        assertEquals(422, answer.status());
        assertEquals(
                "{\"error\":\"The header Tenant-ID begins with UTF-8'', must have percent-encoded UTF-8 after it.\"}",
                answer.body());
    }

    @ParameterizedTest
    @CsvSource({"X-API-KEY: key, X-API-KEY: other", "Tenant-ID: acme, tenant-id: pool", "Tenant-ID: acme, Tenant-ID:"})
    void shouldRefuseHeadersThatAreGivenTwiceWithDifferentValues(String one, String other) throws IOException {
        Answer answer = send("GET", "/v1/users/ida", "", "X-API-KEY: key", one, other);

        assertEquals(400, answer.status());
        assertEquals(
                "{\"error\":\"The header " + one.split(":")[0] + " is given several times with different values.\"}",
                answer.body());
    }

    @Test
    void shouldAcceptHeadersThatAreGivenTwiceWithTheSameValue() throws IOException {
        assertEquals(
                200,
                send(
                                "GET",
                                "/v1/users/ida",
                                "",
                                "X-API-KEY: key",
                                "X-API-KEY: key",
                                "Tenant-ID: acme",
                                "Tenant-ID: acme")
                        .status());
        assertEquals(List.of("acme"), tenants);
    }

    // Limits.

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "deflate, gzip", "GZIP"})
    void shouldRefuseEncodedBodies(String coding) throws IOException {
        for (String path : List.of("/v1/metrics/laps/event", "/admin/v1/metrics/events", "/admin/v1/session")) {
            Answer answer = send("POST", path, "{}", "X-API-KEY: key", "Content-Encoding: " + coding);

            assertEquals(415, answer.status(), path);
            assertEquals(
                    "{\"error\":\"The body has a Content-Encoding, must be sent without one, as plain JSON.\"}",
                    answer.body());
        }
    }

    @Test
    void shouldAcceptBodiesWithoutAnEncoding() throws IOException {
        for (String coding : List.of("identity", "")) {
            assertEquals(
                    201,
                    send("POST", "/v1/metrics/laps/event", "{}", "X-API-KEY: key", "Content-Encoding: " + coding)
                            .status());
        }
        assertEquals(
                200,
                send("GET", "/v1/users/ida", "", "X-API-KEY: key", "Content-Encoding: gzip")
                        .status());
        assertEquals(
                405,
                send("DELETE", "/v1/users/ida", "", "X-API-KEY: key", "Content-Encoding: gzip")
                        .status());
    }

    @Test
    void shouldCountRequestsByTierAndRefuseThoseAboveTheLimit() throws IOException {
        restart(TestServer.at(ANY).withLimits((tenant, tier) -> {
            counted.add(tenant + " " + tier);
            return tier == Tier.WRITE ? 3 : 0;
        }));

        long beforeS = System.currentTimeMillis() / 1000;
        Answer refused = send("POST", "/v1/metrics/laps/event", "{}", "X-API-KEY: key");
        long afterS = System.currentTimeMillis() / 1000 + 1;
        assertEquals(429, refused.status());
        assertEquals("3", refused.headers().get("retry-after"));
        long reset = Long.parseLong(refused.headers().get("x-ratelimit-reset"));
        assertTrue(beforeS + 3 <= reset && reset <= afterS + 3, () -> beforeS + " " + reset);
        assertTrue(refused.body().startsWith("{\"error\":\""), refused.body());
        assertEquals("*", refused.headers().get("access-control-allow-origin"));
        assertEquals(200, send("GET", "/v1/users/ida", "", "X-API-KEY: key").status());
        assertEquals(200, send("GET", "/admin/v1/things", "", "X-API-KEY: key").status());
        assertEquals(401, send("GET", "/v1/users/ida", "", "X-API-KEY: wrong").status());
        send("GET", "/v1/metrics/laps/event", "", "X-API-KEY: key");
        send("POST", "/api/achievements/a/complete/", "", "X-API-KEY: key");

        assertEquals(List.of("acme WRITE", "acme OTHER", "acme OTHER", "acme OTHER", "acme WRITE"), counted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void shouldRefuseDeeplyNestedJson(String opening) throws IOException {
        Answer answer = send("POST", "/v1/metrics/laps/event", opening.repeat(100_000), "X-API-KEY: key");

        assertEquals(400, answer.status());
        assertTrue(answer.body().startsWith("{\"error\":\""), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":" + "@", "{\"a\":1e@}", "{\"@\":1", "{\"a\":-@}"})
    void shouldRefuseVeryLongNumbersAndNames(String json) throws IOException {
        Answer answer =
                send("POST", "/v1/metrics/laps/event", json.replace("@", "1".repeat(1_000_000)), "X-API-KEY: key");

        assertEquals(400, answer.status());
    }

    // Slow clients.

    private Socket connectWithTimeouts(Duration timeout) throws IOException {
        restart(TestServer.at(ANY).withTimeouts(new RequestTimeouts(timeout, timeout, Duration.ofMillis(20))));
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    /** Sends a byte, and then one whenever the server has said nothing for 20 ms, until it closes the connection. */
    private static void expectCloseWhileSendingSlowly(Socket socket, String text) throws IOException {
        socket.setSoTimeout(20);
        int sent = 0;
        try {
            while (sent < 500) {
                socket.getOutputStream().write(text.getBytes(UTF_8));
                sent++;
                if (hasEnded(socket)) {
                    break;
                }
            }
        } catch (SocketException _) {
            // the server has closed the connection, and does not accept the byte
        }
        assertTrue(sent > 1 && sent < 500, "closed after " + sent);
    }

    /** Reads what the server sends. @return false if it sends nothing more, and keeps the connection */
    private static boolean hasEnded(Socket socket) throws IOException {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }

    @Test
    void shouldCloseConnectionWhoseHeadersDoNotEnd() throws Exception {
        try (var socket = connectWithTimeouts(Duration.ofMillis(300))) {
            socket.getOutputStream().write("GET /v1/users/ida HTTP/1.1\r\nHost: h\r\nX-Long: ".getBytes(UTF_8));

            expectCloseWhileSendingSlowly(socket, "x");
        }
    }

    @Test
    void shouldCloseConnectionWhoseBodyDoesNotEnd() throws Exception {
        try (var socket = connectWithTimeouts(Duration.ofMillis(300))) {
            socket.getOutputStream()
                    .write(("POST /v1/metrics/laps/event HTTP/1.1\r\nHost: h\r\nX-API-KEY: key\r\n"
                                    + "Content-Length: 1000000\r\n\r\n{")
                            .getBytes(UTF_8));

            expectCloseWhileSendingSlowly(socket, " ");
        }
    }

    @Test
    void shouldKeepConnectionsBetweenRequests() throws Exception {
        try (var socket = connectWithTimeouts(Duration.ofMillis(100))) {
            socket.setSoTimeout(300); // longer than a request may take
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream()
                        .write("GET /v1/users/ida HTTP/1.1\r\nHost: h\r\nX-API-KEY: key\r\n\r\n".getBytes(UTF_8));
                String answer = new String(socket.getInputStream().readNBytes(15), UTF_8);
                assertEquals("HTTP/1.1 200 OK", answer);
                assertFalse(hasEnded(socket));
            }
        }
    }
}
