package dev.laurel.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.impl.driver.Driver;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The scripts of the console and the elements: their tests, their format, and what a compiler finds in them. They run in the Node.js that
 * Playwright brings, so that nobody has to install it. {@code -Dlaurel.regenerate=true} formats the scripts.
 */
final class ScriptsTest {

    private static final Path SOURCES = Path.of("src", "main", "resources");
    private static final Path TESTS = Path.of("src", "test", "scripts");
    private static final Path FOLDER = Path.of("target", "scripts");
    private static final String LIBRARY = "META-INF/importmap.json";
    private static final String TOOLS = "META-INF/resources/webjars";
    private static final long TIMEOUT_S = 120;

    private static Path node;

    @BeforeAll
    static void prepare() throws Exception {
        node = Driver.ensureDriverInstalled(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), false)
                .driverDir()
                .resolve(System.getProperty("os.name").startsWith("Windows") ? "node.exe" : "node");
        copyFromJars(LIBRARY, "META-INF/resources", FOLDER);
        copyFromJars(TOOLS, TOOLS, FOLDER.resolve("tools"));
        Files.write(FOLDER.resolve("imports.json"), Json.write(ConsoleFiles.importMap()));
        copy(SOURCES.resolve("dev"), FOLDER.resolve("dev"));
        copy(TESTS, FOLDER.resolve("test"));
    }

    @Test
    void shouldPassTheirTests() throws Exception {
        String output = run(FOLDER, "--import", "./test/page-of-tests.js", "--test", "test/*.test.js");

        assertTrue(output.contains("fail 0") && !output.contains("tests 0"), output);
    }

    @Test
    void shouldBeFormatted() throws Exception {
        String how = Boolean.getBoolean("laurel.regenerate") ? "--write" : "--check";

        run(
                Path.of("."),
                tool("prettier", "bin", "prettier.cjs"),
                "--config",
                TESTS.resolve("prettierrc.json").toString(),
                how,
                SOURCES + "/**/*.js",
                TESTS + "/*");
    }

    @Test
    void shouldCompile() throws Exception {
        run(
                Path.of("."),
                tool("typescript", "lib", "tsc.js"),
                "--project",
                TESTS.resolve("tsconfig.json").toString());
    }

    private static String tool(String name, String... path) throws IOException {
        try (Stream<Path> versions = Files.list(FOLDER.resolve("tools").resolve(name))) {
            List<Path> found = versions.toList();
            assertEquals(1, found.size(), () -> "versions of " + name + ": " + found);
            return found.getFirst().resolve(Path.of("", path)).toString();
        }
    }

    /** Runs a script, which must succeed. Returns its output. */
    private static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>(List.of(node.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), output);
        assertEquals(0, process.exitValue(), output);
        return output;
    }

    /** @param mark what a jar has from which the folder is copied */
    private static void copyFromJars(String mark, String folder, Path to) throws Exception {
        for (URL found : Collections.list(ScriptsTest.class.getClassLoader().getResources(mark))) {
            URI jar = URI.create(found.toString().replaceFirst("!/.*", "!/"));
            try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
                copy(files.getPath(folder), to);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
