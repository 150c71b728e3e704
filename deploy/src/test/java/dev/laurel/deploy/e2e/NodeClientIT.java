package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.openapi.OpenApiDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Runs the official Node client, unchanged except for its base URL: all its methods, and the worked examples of the
 * contract. Also runs tools of others that read the OpenAPI documents. The tests are in {@code src/test/node}. Needs Node and npm; without
 * them, or without access to the npm registry, the tests are skipped with a message.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class NodeClientIT {

    private static final Path SOURCES = Path.of("src", "test", "node");
    private static final List<String> FILES =
            List.of("package.json", "package-lock.json", "client.test.js", "examples.test.js", "openapi.test.js");

    /** Kept between builds, so that npm fetches only changed packages. */
    private static final Path WORK = Path.of("target", "node-client");

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @AutoClose
    private static LaurelInstance instance;

    /** The output of a program, both streams in one, and its exit code. */
    private record Run(int exitCode, String output) {}

    @BeforeAll
    static void fetchClient() throws IOException, InterruptedException {
        Files.createDirectories(WORK);
        for (String file : FILES) {
            Files.writeString(WORK.resolve(file), Files.readString(SOURCES.resolve(file)));
        }
        Run node = run(Map.of(), "node", "--version");
        if (node.exitCode() != 0) {
            skip("Node is not on the path: " + node.output());
        }
        Run install = run(Map.of(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
        if (install.exitCode() != 0 && isOffline(install.output())) {
            skip("npm cannot reach its registry: " + install.output());
        }
        assertEquals(0, install.exitCode(), install.output());
    }

    private static void skip(String reason) {
        System.err.println("NodeClientIT is SKIPPED: " + reason);
        abort(reason);
    }

    private static boolean isOffline(String output) {
        return List.of(
                        "ENOTFOUND",
                        "EAI_AGAIN",
                        "ECONNREFUSED",
                        "ETIMEDOUT",
                        "ENETUNREACH",
                        "ECONNRESET",
                        "Cannot run program")
                .stream()
                .anyMatch(output::contains);
    }

    @Test
    void shouldServeEveryMethodOfTheClient() throws IOException, InterruptedException {
        instance = LaurelInstance.start();
        CommandRun applied = CommandRun.of(
                "ruleset",
                "apply",
                Path.of("examples", "swimming.yaml").toString(),
                "--url",
                instance.client().url(),
                "--key",
                instance.adminKey());
        assertEquals(0, applied.exitCode(), applied.err());
        JsonNode ruleset =
                instance.client().get("/admin/v1/ruleset").expect(200).json();
        YAMLMapper.shared()
                .readerForUpdating(ruleset)
                .readValue(SOURCES.resolve("rivals.yaml").toFile());
        instance.client().put("/admin/v1/ruleset", ruleset.toString()).expect(200);

        Run tests = run(
                Map.of("LAUREL_URL", instance.client().url(), "LAUREL_KEY", instance.adminKey()),
                "node",
                "--test",
                "client.test.js");

        assertEquals(0, tests.exitCode(), tests.output());
        assertTrue(tests.output().contains("# fail 0"), tests.output());
    }

    @Test
    void shouldWriteTheExamplesAsTheClientReadsThem() throws IOException, InterruptedException {
        Path examples = Path.of("src", "test", "resources", "examples").toAbsolutePath();

        Run tests = run(Map.of("LAUREL_EXAMPLES", examples.toString()), "node", "--test", "examples.test.js");

        assertEquals(0, tests.exitCode(), tests.output());
        assertTrue(tests.output().contains("# pass 9"), tests.output());
    }

    @Test
    void shouldServeOpenApiDocumentsThatToolsAccept() throws IOException, InterruptedException {
        Path documents = Files.createDirectories(WORK.resolve("documents")).toAbsolutePath();
        for (OpenApiDocument document : OpenApiDocument.all()) {
            Files.writeString(
                    documents.resolve(document == OpenApiDocument.ADMIN ? "admin.yaml" : "application.yaml"),
                    document.yaml());
        }

        Run tests = run(Map.of("LAUREL_DOCUMENTS", documents.toString()), "node", "--test", "openapi.test.js");

        assertEquals(0, tests.exitCode(), tests.output());
        assertTrue(tests.output().contains("# pass 5"), tests.output());
    }

    private static Run run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile(WORK, "run", ".log");
        var builder = new ProcessBuilder(command)
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            return new Run(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new Run(127, e.getMessage());
        } finally {
            Files.delete(log);
        }
    }
}
