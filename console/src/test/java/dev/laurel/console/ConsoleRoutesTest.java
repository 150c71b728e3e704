package dev.laurel.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.Address;
import dev.laurel.platform.http.HttpSettings.AuditLog;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConsoleRoutesTest {

    private static final Pattern SCRIPT = Pattern.compile("src=\"(app-[^\"]+)\"");

    private static final Pattern NEEDED = Pattern.compile("import '\\./([^']+)'");

    private final HttpServer server = new HttpServer(
            new HttpSettings(
                    new Address("127.0.0.1", 0),
                    null,
                    RequestLimits.NONE,
                    RequestTimeouts.DEFAULT,
                    null,
                    null,
                    Sessions.NONE,
                    Tracing.NONE,
                    new Metrics(),
                    AuditLog.NONE,
                    false),
            (_, _) -> null,
            List.of(new ConsoleRoutes()));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        http.close();
        server.close();
    }

    @Test
    void shouldServeThePageWithoutKeyUnderStrictPolicy() throws Exception {
        HttpResponse<String> page = get("/console/");

        assertEquals(200, page.statusCode());
        assertEquals("text/html;charset=utf-8", header(page, "Content-Type").replace(" ", ""));
        assertEquals("no-cache", header(page, "Cache-Control"));
        assertEquals("nosniff", header(page, "X-Content-Type-Options"));
        assertEquals("no-referrer", header(page, "Referrer-Policy"));
        String policy = header(page, "Content-Security-Policy");
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
        assertTrue(policy.endsWith("frame-ancestors 'none'"), policy);
        assertFalse(policy.contains("unsafe"), policy);
    }

    @Test
    void shouldServeFilesForAYearAsTheyAreAccepted() throws Exception {
        Matcher script = SCRIPT.matcher(get("/console/").body());
        assertTrue(script.find());
        String path = "/console/" + script.group(1);

        HttpResponse<String> plain = get(path);
        HttpResponse<String> packed = get(path, "Accept-Encoding", "br, gzip");

        assertEquals("public, max-age=31536000, immutable", header(plain, "Cache-Control"));
        assertEquals(
                "text/javascript;charset=utf-8", header(plain, "Content-Type").replace(" ", ""));
        assertTrue(plain.body().contains("customElements.define('laurel-console'"), plain.body());
        assertEquals("", header(plain, "Content-Encoding"));
        assertEquals("gzip", header(packed, "Content-Encoding"));
        assertEquals("Accept-Encoding", header(packed, "Vary"));
    }

    @Test
    void shouldLeadToThePage() throws Exception {
        HttpResponse<String> answer = get("/console");

        assertEquals(302, answer.statusCode());
        assertTrue(header(answer, "Location").endsWith("/console/"), header(answer, "Location"));
        assertEquals(404, get("/console/app.js").statusCode());
        assertEquals(404, get("/console/..%2fapp.js").statusCode());
        assertEquals(404, get("/console/pages/user.js").statusCode());
    }

    @Test
    void shouldServeTheElementsToPagesOfAnyOriginAndAskAgain() throws Exception {
        HttpResponse<String> module = get("/elements/laurel.js", "Origin", "https://shop.example");
        String tag = header(module, "ETag");
        Matcher needed = NEEDED.matcher(module.body());
        assertTrue(needed.find());
        HttpResponse<String> file = get("/elements/" + needed.group(1));

        assertEquals(200, module.statusCode());
        assertEquals("no-cache", header(module, "Cache-Control"));
        assertEquals(
                "text/javascript;charset=utf-8", header(module, "Content-Type").replace(" ", ""));
        assertEquals("*", header(module, "Access-Control-Allow-Origin"));
        assertEquals(304, get("/elements/laurel.js", "If-None-Match", tag).statusCode());
        assertEquals(
                200,
                get("/elements/laurel.js", "If-None-Match", "W/\"of-an-earlier-version\"")
                        .statusCode());
        assertEquals("public, max-age=31536000, immutable", header(file, "Cache-Control"));
        assertEquals("*", header(file, "Access-Control-Allow-Origin"));
        assertEquals("", header(file, "ETag"));
        assertEquals(404, get("/elements/element.js").statusCode());
        assertTrue(header(get("/elements"), "Location").endsWith("/elements/"));
        assertTrue(header(get("/elements/"), "Content-Security-Policy").startsWith("default-src 'none'"));
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
