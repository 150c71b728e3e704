package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the served documents, and that no path below a public one opens anything else. */
class DocumentRoutesTest {

    private static final Path SCHEMAS = Path.of("../schemas/src/main/resources/dev/laurel/schemas/json");
    private static final Path OPENAPI = Path.of("../schemas/src/main/resources/dev/laurel/schemas/openapi");
    private static final String SECRET = "for holders of a key only";

    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = TestServer.start(
                new HttpSettings.Address("127.0.0.1", 0),
                new BootstrapKey(BootstrapKey.generate()),
                List.of(new DocumentRoutes(), routes -> {
                    routes.get("/v1/users/{id}", RequiredRole.VIEWER, context -> context.result(SECRET));
                    routes.post(
                            "/v1/schemas/upload",
                            RequiredRole.PUBLIC,
                            context -> context.result("" + context.bodyAsBytes().length));
                }));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void shouldServeEverySchemaUnchanged() throws Exception {
        try (var files = Files.list(SCHEMAS)) {
            for (Path file : files.toList()) {
                HttpResponse<String> answer = get("/v1/schemas/" + file.getFileName());

                assertEquals(200, answer.statusCode(), file::toString);
                assertEquals(
                        "application/schema+json",
                        answer.headers().firstValue("Content-Type").orElseThrow());
                assertEquals(Files.readString(file), answer.body());
            }
        }
    }

    @Test
    void shouldListThePathsOfTheSchemas() throws Exception {
        HttpResponse<String> answer = get("/v1/schemas");

        assertEquals(200, answer.statusCode());
        assertEquals(
                "application/json", answer.headers().firstValue("Content-Type").orElseThrow());
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
    @ValueSource(
            strings = {
                "/v1/schemas/../users/1",
                "/v1/schemas/%2e%2e/users/1",
                "/v1/schemas/..%2fusers%2f1",
                "/v1/schemas/..;/users/1",
                "/v1/schemas/./../users/1",
                "/v1/schemas//../users/1",
                "/v1/schemas/..\\users\\1",
                "/v1/schemas/%2e%2e%2f%2e%2e%2fschemas%2fserde%2fJson.class",
                "/v1/schemas/../key/UserKey.class",
                "/v1/schemas/%00",
                "/v1/schemas/command.schema.json%00.txt",
                "/v1/schemas/command.schema.json/../../users/1",
                "//v1/users/1",
                "/v1//users/1",
                "/v1/users/1"
            })
    void shouldServeNothingButSchemasBelowTheirPath(String path) throws IOException {
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
    void shouldIgnoreTheMethodOverrideHeader() throws IOException {
        String answer = raw("GET /v1/schemas HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "X-HTTP-Method-Override: DELETE\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }

    /** The server cannot check a length that the client did not declare, so it must count while it reads. */
    @Test
    void shouldRefuseATooLargeBodyWithoutDeclaredLength() throws IOException {
        String megabyteAndMore = "100001\r\n" + "x".repeat(0x100001) + "\r\n0\r\n\r\n";
        String answer = raw("POST /v1/schemas/upload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + megabyteAndMore);

        assertTrue(
                answer.startsWith("HTTP/1.1 413 "), answer.lines().findFirst().orElse("no answer"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/openapi, application-api.yaml",
        "/v1/openapi/, application-api.yaml",
        "/admin/v1/openapi, admin-api.yaml"
    })
    void shouldServeOpenApiDocumentAsJson(String path, String file) throws Exception {
        for (int time = 0; time < 2; time++) {
            HttpResponse<String> answer = get(path);

            assertEquals(200, answer.statusCode());
            assertEquals(List.of("application/json"), answer.headers().allValues("Content-Type"));
            JsonNode written = YAMLMapper.shared().readTree(Files.readString(OPENAPI.resolve(file)));
            assertEquals(
                    written.toString(),
                    Json.mapperForTools().readTree(answer.body()).toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"/v1/openapi.yaml, application-api.yaml", "/admin/v1/openapi.yaml, admin-api.yaml"})
    void shouldServeOpenApiDocumentUnchanged(String path, String file) throws Exception {
        HttpResponse<String> answer = get(path);

        assertEquals(200, answer.statusCode());
        assertEquals(List.of("application/yaml"), answer.headers().allValues("Content-Type"));
        assertEquals(Files.readString(OPENAPI.resolve(file)), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/openapi/x", "/admin/v1/openapi/../x", "/admin/v1/", "/admin/v1/openapi.json"})
    void shouldServeNothingElseBelowTheOpenApiPaths(String path) throws Exception {
        assertEquals(401, get(path).statusCode());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Sends a request by a plain socket, because a client library would normalize the path. */
    private static String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
