package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what the access log contains about a request, and what it omits. */
class RequiredRoleLogTest {

    private static final String KEY = "testkey1.0123456789abcdef";

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    };
    private final Logger logger = (Logger) LogManager.getLogger("laurel.access");
    private final HttpServer server = TestServer.start(
            new HttpSettings.Address("127.0.0.1", 0),
            new BootstrapKey(KEY),
            List.of(routes -> routes.get(
                    "/v1/users/{id}",
                    RequiredRole.VIEWER,
                    context -> Answers.answer(context, 200, "{\"ok\":true}".getBytes()))));

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        server.close();
        logger.removeAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(Level.WARN);
    }

    /** @param headers name, value, name, value, … */
    private String lineOf(String path, String key, String... headers) throws Exception {
        lines.clear();
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                    .header("X-API-KEY", key)
                    .header("X-Request-Id", "r-1");
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            client.send(request.build(), BodyHandlers.ofString());
        }
        Awaitility.await().until(() -> !lines.isEmpty());
        assertEquals(1, lines.size(), lines::toString);
        return lines.getFirst();
    }

    @Test
    void shouldNameTheRouteAndNotTheUser() throws Exception {
        String line = lineOf("/v1/users/ida@example.net?userAttributes=city:Turku", KEY);

        assertTrue(
                line.matches("GET /v1/users/\\{id} 200 \\d+[.]\\d\\d ms 11 B request=r-1 key=testkey1 tenant=-"
                        + " agent=Java-http-client/\\S+"),
                line);
    }

    @Test
    void shouldNameTheClientInWordsOfLimitedLength() throws Exception {
        String line = lineOf(
                "/v1/users/ida",
                KEY,
                "User-Agent",
                "Pool/2 (X11; tenant=other)",
                "X-SDK-VERSION",
                "1.18.0",
                "X-Fern-Language",
                "JavaScript",
                "X-Fern-SDK-Name",
                "sdk",
                "X-Fern-SDK-Version",
                "a\t1",
                "X-Fern-Runtime",
                "n".repeat(5000),
                "X-Fern-Runtime-Version",
                "22",
                "X-Fern-Other",
                "x");

        assertTrue(
                line.endsWith(" tenant=- agent=Pool/2_(X11;_tenant=other) sdk-version=1.18.0 fern-language=JavaScript "
                        + "fern-sdk-name=sdk fern-sdk-version=a_1 fern-runtime=" + "n".repeat(100)
                        + " fern-runtime-version=22"),
                line);
    }

    @Test
    void shouldOmitUnknownValues() throws Exception {
        String line = lineOf("/v1/nothing/ida@example.net", KEY);
        assertTrue(
                line.matches("GET - 404 \\d+[.]\\d\\d ms \\d+ B request=r-1 key=testkey1 tenant=-"
                        + " agent=Java-http-client/\\S+"),
                line);

        line = lineOf("/v1/users/ida@example.net", "secret99.0123456789abcdef");
        assertTrue(
                line.matches(
                        "GET \\S+ 401 \\d+[.]\\d\\d ms \\d+ B request=r-1 key=- tenant=- agent=Java-http-client/\\S+"),
                line);
        assertTrue(!line.contains("secret") && !line.contains("example"), line);
    }
}
