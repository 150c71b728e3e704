package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;

/** Tests the result of {@code mvn -Pimage package}, given by {@code -Dlaurel.image=FILE}. */
@EnabledIfSystemProperty(named = "laurel.image", matches = ".+")
final class ImageTarTest {

    private static final Map<String, byte[]> PARTS = new HashMap<>();
    private static JsonNode manifest;
    private static JsonNode config;

    /** The files of our own layers, without those of the base image. */
    private static final Map<String, TarArchiveEntry> FILES = new TreeMap<>();

    private static final Map<String, byte[]> TEXTS = new HashMap<>();

    @BeforeAll
    static void read() throws IOException {
        try (var tar = new TarArchiveInputStream(Files.newInputStream(Path.of(System.getProperty("laurel.image"))))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                PARTS.put(entry.getName(), tar.readAllBytes());
            }
        }
        manifest = Json.mapperForTools().readTree(PARTS.get("manifest.json")).get(0);
        config = Json.mapperForTools().readTree(PARTS.get(manifest.get("Config").asString()));
        List<JsonNode> history = config.get("history")
                .valueStream()
                .filter(step -> !step.path("empty_layer").asBoolean())
                .toList();
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i).path("created_by").asString().startsWith("jib-maven-plugin")) {
                readLayer(PARTS.get(manifest.get("Layers").get(i).asString()));
            }
        }
    }

    private static void readLayer(byte[] layer) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(layer));
                var tar = new TarArchiveInputStream(in)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                FILES.put("/" + entry.getName(), entry);
                if (entry.isFile() && !entry.getName().endsWith(".jar")) {
                    TEXTS.put("/" + entry.getName(), tar.readAllBytes());
                }
            }
        }
    }

    @Test
    void shouldRunAsAnUnprivilegedUser() {
        assertEquals(ImageProfile.read().user(), config.at("/config/User").asString());
    }

    @Test
    void shouldStartTheProgramWithItsFlags() {
        List<String> entrypoint = ComposeFile.Service.strings(config.at("/config/Entrypoint"));
        ImageProfile profile = ImageProfile.read();

        assertEquals("java", entrypoint.getFirst());
        assertTrue(entrypoint.containsAll(profile.jvmFlags()), entrypoint.toString());
        assertEquals(profile.mainClass(), entrypoint.getLast());
        assertTrue(config.at("/config/Env").toString().contains("-XX:MaxRAMPercentage="));
        assertTrue(config.at("/config/Env").toString().contains("MALLOC_ARENA_MAX="));
    }

    @Test
    void shouldHaveEveryJarOfItsClassPath() {
        String[] classPath = new String(TEXTS.get("/app/jib-classpath-file"), StandardCharsets.UTF_8).split(":");

        assertTrue(classPath.length > 50, classPath.length + " jars");
        for (String jar : classPath) {
            boolean isThere = jar.endsWith("/*")
                    ? FILES.keySet().stream()
                            .anyMatch(name -> name.matches(
                                    Pattern.quote(jar.substring(0, jar.length() - 1)) + "laurel-deploy-[^/]*\\.jar"))
                    : FILES.containsKey(jar);
            assertTrue(isThere, jar);
        }
    }

    @Test
    void shouldHaveAnEmptyWritableDataFolder() {
        assertEquals(0777, FILES.get("/data/").getMode() & 0777);
        assertEquals(
                1,
                FILES.keySet().stream()
                        .filter(name -> name.startsWith("/data/"))
                        .count());
        assertTrue(config.at("/config/Volumes").has("/data"));
        assertTrue(config.at("/config/Volumes").has("/tmp"));
    }

    @Test
    void shouldHaveNoOtherWritableFile() {
        FILES.forEach((name, entry) -> {
            if (!name.equals("/data/")) {
                assertFalse((entry.getMode() & 022) != 0, name);
            }
        });
    }

    @Test
    void shouldBeReproducible() {
        assertEquals(
                Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse(config.get("created").asString()));
        FILES.forEach((name, entry) -> assertFalse(
                entry.getLastModifiedTime().toInstant().isAfter(Instant.parse("2026-01-01T00:00:00Z")), name));
    }

    @Test
    void shouldHaveDescriptiveLabels() {
        JsonNode labels = config.at("/config/Labels");
        assertEquals("Laurel", labels.get("org.opencontainers.image.title").asString());
        assertEquals(
                "Apache-2.0", labels.get("org.opencontainers.image.licenses").asString());
        assertTrue(labels.has("org.opencontainers.image.version"));
        assertTrue(labels.has("org.opencontainers.image.base.name"));
    }
}
