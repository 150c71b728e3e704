package dev.laurel.platform.http;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The OpenAPI documents over HTTP, without a key. What is in them is tested where the whole interface is. */
class OpenApiRoutesTest {

    private static final Path SOURCES = Path.of("../schemas/src/main/resources/dev/laurel/schemas/openapi");

    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        server = HttpServer.start(new HttpServer.Address("127.0.0.1", 0), new BootstrapKey(BootstrapKey.generate()),
                List.of(new OpenApiRoutes()));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"/v1/openapi, application-api.yaml", "/v1/openapi/, application-api.yaml",
            "/admin/v1/openapi, admin-api.yaml"})
    void shouldServeDocumentAsJson(String path, String file) throws Exception {
        for (int time = 0; time < 2; time++) {
            HttpResponse<String> answer = get(path);

            assertEquals(200, answer.statusCode());
            assertEquals(List.of("application/json"), answer.headers().allValues("Content-Type"));
            JsonNode written = YAMLMapper.shared().readTree(Files.readString(SOURCES.resolve(file)));
            assertEquals(written.toString(), Json.mapperForTools().readTree(answer.body()).toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"/v1/openapi.yaml, application-api.yaml", "/admin/v1/openapi.yaml, admin-api.yaml"})
    void shouldServeDocumentAsItWasWritten(String path, String file) throws Exception {
        HttpResponse<String> answer = get(path);

        assertEquals(200, answer.statusCode());
        assertEquals(List.of("application/yaml"), answer.headers().allValues("Content-Type"));
        assertEquals(Files.readString(SOURCES.resolve(file)), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/openapi/x", "/admin/v1/openapi/../x", "/admin/v1/", "/admin/v1/openapi.json"})
    void shouldOpenNothingElse(String path) throws Exception {
        assertEquals(401, get(path).statusCode());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
                BodyHandlers.ofString());
    }
}
