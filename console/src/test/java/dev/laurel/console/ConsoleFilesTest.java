package dev.laurel.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.console.ConsoleFiles.ConsoleFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class ConsoleFilesTest {

    private static final int MAX_SCRIPT_BYTES = 602 * 1024;
    private static final int MAX_ELEMENTS_BYTES = 30 * 1024;
    private static final Pattern IMPORTED = Pattern.compile("\\b(?:from|import)\\s*\\(?\\s*[\"']([^\"'\\s]+)[\"']");
    private static final Pattern NAMED = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private final ConsoleFiles files = ConsoleFiles.read("console");

    @Test
    void shouldServeEveryFileThatAnotherOneNames() throws IOException {
        var missing = new ArrayList<String>();
        int seen = 0;
        var named = new ArrayList<>(NAMED.matcher(text(files.page()))
                .results()
                .map(name -> name.group(1))
                .toList());
        for (Map.Entry<String, ConsoleFile> file : files.all().entrySet()) {
            if (file.getKey().endsWith(".js")) {
                named.addAll(IMPORTED.matcher(text(file.getValue()))
                        .results()
                        .map(name -> name.group(1))
                        .toList());
            }
        }
        for (String name : named) {
            seen++;
            if (files.file(name.replaceFirst("^\\./", "")) == null) {
                missing.add(name);
            }
        }

        assertEquals(List.of(), missing);
        assertTrue(seen > 40, "only " + seen);
    }

    @Test
    void shouldNameFilesByTheirContent() {
        assertEquals(
                List.of(),
                files.all().keySet().stream()
                        .filter(name -> !name.matches("[\\w.-]+-[0-9a-f]{12}\\.(js|css|svg)"))
                        .toList());
        assertEquals(files.all().keySet(), ConsoleFiles.read("console").all().keySet());
        assertNull(files.file("app.js"));
    }

    /** Nothing inline and nothing of other sites, which the policy of the page would refuse. */
    @Test
    void shouldLoadAllScriptsOfTheFirstViewAtOnce() throws IOException {
        String page = text(files.page());

        assertFalse(page.contains("<style") || page.contains("://") || page.matches("(?s).*<script[^>]*>[^<].*"), page);
        assertTrue(page.contains("modulepreload\" href=\"lit-html-"), page);
        assertFalse(page.contains("echarts"), page); // loaded with the first page that has charts
    }

    @Test
    void shouldStaySmall() {
        int bytes = files.all().entrySet().stream()
                .filter(file -> file.getKey().endsWith(".js"))
                .mapToInt(file -> file.getValue().gzipped().length)
                .sum();

        assertTrue(bytes < MAX_SCRIPT_BYTES, bytes + " bytes of scripts");
    }

    /** What a product's page loads: the module with everything that it imports. */
    @Test
    void shouldKeepTheElementsSmallAndTheirModuleByName() throws IOException {
        ConsoleFiles elements = ConsoleFiles.read("elements", "laurel.js");
        String module = text(elements.file("laurel.js"));
        List<String> imports = IMPORTED.matcher(module)
                .results()
                .map(name -> name.group(1))
                .distinct()
                .toList();

        assertEquals(
                List.of(),
                imports.stream()
                        .filter(name -> elements.file(name.substring(2)) == null)
                        .toList());
        assertTrue(imports.stream().anyMatch(name -> name.startsWith("./lit-html-")), module);
        int bytes = elements.file("laurel.js").gzipped().length
                + imports.stream()
                        .mapToInt(name -> elements.file(name.substring(2)).gzipped().length)
                        .sum();
        System.out.println("elements: " + bytes + " bytes in " + (imports.size() + 1) + " files");
        assertTrue(bytes < MAX_ELEMENTS_BYTES, bytes + " bytes of elements");
    }

    @Test
    void shouldLeaveOutCommentsButNoLicences() throws IOException {
        var scripts = new ArrayList<String>();
        for (Map.Entry<String, ConsoleFile> file : files.all().entrySet()) {
            if (file.getKey().endsWith(".js")) {
                scripts.add(text(file.getValue()));
            }
        }
        List<String> some = scripts.stream()
                .filter(script -> script.contains("class EditorView {") || script.contains("class UserPage "))
                .toList();

        assertEquals(2, some.size());
        assertEquals(
                List.of(),
                some.stream()
                        .flatMap(String::lines)
                        .filter(line -> line.matches("\\s*(//|/\\*).*"))
                        .toList());
        assertTrue(scripts.stream().anyMatch(script -> script.contains("Licensed to the Apache Software Foundation")));
    }

    private static String text(ConsoleFile file) throws IOException {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(file.gzipped()))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
