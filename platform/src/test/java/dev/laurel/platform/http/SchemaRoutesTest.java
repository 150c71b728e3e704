package dev.laurel.platform.http;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The schemas over HTTP, and what a path below an open one must not open. */
class SchemaRoutesTest {

    private static final Path SOURCES = Path.of("../schemas/src/main/resources/dev/laurel/schemas/json");
    private static final String SECRET = "for holders of a key only";

    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = HttpServer.start(new HttpServer.Address("127.0.0.1", 0), new BootstrapKey(BootstrapKey.generate()),
                List.of(new SchemaRoutes(), routes -> {
                    routes.get("/v1/users/{id}", context -> context.result(SECRET));
                    routes.post("/v1/schemas/upload", context -> context.result("" + context.bodyAsBytes().length));
                }));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void shouldServeEverySchemaOfTheFolderByteForByte() throws Exception {
        try (var files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                HttpResponse<String> answer = get("/v1/schemas/" + file.getFileName());

                assertEquals(200, answer.statusCode(), file::toString);
                assertEquals("application/schema+json", answer.headers().firstValue("Content-Type").orElseThrow());
                assertEquals(Files.readString(file), answer.body());
            }
        }
    }

    @Test
    void shouldListWhereTheSchemasAre() throws Exception {
        HttpResponse<String> answer = get("/v1/schemas");

        assertEquals(200, answer.statusCode());
        assertEquals("application/json", answer.headers().firstValue("Content-Type").orElseThrow());
        var paths = Json.mapperForTools().readTree(answer.body()).get("schemas");
        assertEquals("/v1/schemas/command.schema.json", paths.get(0).asString());
        for (var path : paths) {
            assertEquals(200, get(path.asString()).statusCode());
        }
    }

    @Test
    void shouldAnswer404InJsonForAnUnknownSchema() throws Exception {
        HttpResponse<String> answer = get("/v1/schemas/nothing.schema.json");

        assertEquals(404, answer.statusCode());
        assertEquals("{\"error\":\"No such schema; GET /v1/schemas lists them.\"}", answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/schemas/../users/1", "/v1/schemas/%2e%2e/users/1", "/v1/schemas/..%2fusers%2f1",
            "/v1/schemas/..;/users/1", "/v1/schemas/./../users/1", "/v1/schemas//../users/1",
            "/v1/schemas/..\\users\\1",
            "/v1/schemas/%2e%2e%2f%2e%2e%2fschemas%2fserde%2fJson.class", "/v1/schemas/../key/UserKey.class",
            "/v1/schemas/%00", "/v1/schemas/command.schema.json%00.txt",
            "/v1/schemas/command.schema.json/../../users/1",
            "//v1/users/1", "/v1//users/1", "/v1/users/1"})
    void shouldOpenNothingButSchemas(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertTrue(answer.matches("(?s)HTTP/1.1 4\\d\\d .*"), answer);
        assertFalse(answer.contains(SECRET), answer);
    }

    @Test
    void shouldAnswerHeadAsGetWithoutBody() throws IOException {
        String known = raw("HEAD /v1/schemas HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        String unknown = raw("HEAD /v1/schemas/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertTrue(known.startsWith("HTTP/1.1 200 ") && known.endsWith("\r\n\r\n"), known);
        assertTrue(unknown.startsWith("HTTP/1.1 404 ") && unknown.endsWith("\r\n\r\n"), unknown);
    }

    @Test
    void shouldNotLetHeaderSayAnotherMethod() throws IOException {
        String answer = raw("GET /v1/schemas HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "X-HTTP-Method-Override: DELETE\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }

    /** Without a declared length, only counting while reading keeps a body from filling the memory. */
    @Test
    void shouldRefuseATooLargeBodyWithoutDeclaredLength() throws IOException {
        String megabyteAndMore = "100001\r\n" + "x".repeat(0x100001) + "\r\n0\r\n\r\n";
        String answer = raw("POST /v1/schemas/upload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + megabyteAndMore);

        assertTrue(answer.startsWith("HTTP/1.1 413 "), answer.lines().findFirst().orElse("no answer"));
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
                BodyHandlers.ofString());
    }

    /** Sends the path as it is: a client library would tidy it up. */
    private static String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
