package dev.laurel.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.serde.Json;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;

/**
 * Asks a database of vulnerabilities (<a href="https://osv.dev">OSV</a>) about every library, with {@code -Dlaurel.audit=true}. It
 * needs no key and answers within seconds. Without an answer the audit is skipped, and a line on stderr says so.
 */
final class DependencyAuditTest {

    private static final URI DATABASE = URI.create("https://api.osv.dev/v1/querybatch");
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Ids of advisories that do not concern Laurel, each with the reason. */
    private static final Map<String, String> ACCEPTED = Map.of();

    /** A library in a repository of Maven: group, artifact, version. */
    private static final Pattern LIBRARY = Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/[^/]+\\.jar");

    @Test
    @EnabledIfSystemProperty(named = "laurel.audit", matches = "true")
    void shouldUseNoLibraryWithKnownVulnerability() throws InterruptedException {
        List<String> libraries = libraries(System.getProperty("java.class.path"));
        assertTrue(libraries.size() > 50, "only " + libraries.size() + " libraries were found");
        Map<String, List<String>> known;
        try {
            known = ask(DATABASE, libraries);
        } catch (IOException e) {
            System.err.println("DEPENDENCY AUDIT SKIPPED: " + DATABASE.getHost() + " does not answer (" + e + ")");
            Assumptions.abort("no answer from " + DATABASE);
            return;
        }
        assertEquals(Map.of(), known);
    }

    @Test
    void shouldReadLibrariesOfClassPath() {
        String path = String.join(
                File.pathSeparator,
                "/build/target/classes",
                "/home/ida/.m2/repository/io/javalin/javalin/7.2.3/javalin-7.2.3.jar",
                "/home/ida/.m2/repository/org/mvnpm/lit/3.3.1/lit-3.3.1.jar",
                "/home/ida/.m2/repository/org/mvnpm/at/lit/reactive-element/2.1.2/reactive-element-2.1.2.jar");

        assertEquals(
                List.of(
                        "pkg:maven/io.javalin/javalin@7.2.3",
                        "pkg:npm/%40lit/reactive-element@2.1.2",
                        "pkg:npm/lit@3.3.1"),
                libraries(path));
    }

    @Test
    void shouldNameLibrariesWithVulnerabilities() throws Exception {
        HttpServer database = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        database.createContext("/", exchange -> {
            byte[] answer = "{\"results\":[{},{\"vulns\":[{\"id\":\"GHSA-1\"},{\"id\":\"GHSA-2\"}]}]}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        database.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + database.getAddress().getPort() + "/");

            assertEquals(Map.of("pkg:b", List.of("GHSA-1", "GHSA-2")), ask(address, List.of("pkg:a", "pkg:b")));
        } finally {
            database.stop(0);
        }
    }

    @Test
    void shouldReportDatabaseThatDoesNotAnswer() {
        URI nowhere = URI.create("http://127.0.0.1:" + TestServer.unusedPort() + "/");

        assertThrows(IOException.class, () -> ask(nowhere, List.of("pkg:a")));
    }

    private static List<String> libraries(String classPath) {
        return List.of(classPath.split(File.pathSeparator)).stream()
                .map(LIBRARY::matcher)
                .filter(Matcher::matches)
                .map(library -> nameOf(library.group(1), library.group(2)) + "@" + library.group(3))
                .sorted()
                .toList();
    }

    /** Scripts of the console come from Maven, and are known by their names in npm. */
    private static String nameOf(String group, String artifact) {
        String scope = group.replaceFirst("^org/mvnpm(/at/)?", "");
        return !group.startsWith("org/mvnpm")
                ? "pkg:maven/" + group.replace('/', '.') + "/" + artifact
                : "pkg:npm/" + (scope.isEmpty() ? "" : "%40" + scope + "/") + artifact;
    }

    /**
     * Returns the ids of advisories by library.
     *
     * @throws IOException if there is no usable answer in time
     */
    private static Map<String, List<String>> ask(URI database, List<String> libraries)
            throws IOException, InterruptedException {
        var questions = libraries.stream()
                .map(library -> Map.of("package", Map.of("purl", library)))
                .toList();
        try (HttpClient http =
                HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()) {
            var request = HttpRequest.newBuilder(database)
                    .timeout(TIMEOUT)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(Map.of("queries", questions))))
                    .build();
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("it answered " + response.statusCode());
            }
            JsonNode results = Json.read(response.body(), JsonNode.class).path("results");
            var known = new TreeMap<String, List<String>>();
            for (int i = 0; i < libraries.size(); i++) {
                List<String> ids = results.path(i)
                        .path("vulns")
                        .valueStream()
                        .map(advisory -> advisory.path("id").asString(""))
                        .filter(id -> !ACCEPTED.containsKey(id))
                        .toList();
                if (!ids.isEmpty()) {
                    known.put(libraries.get(i), ids);
                }
            }
            return known;
        }
    }
}
