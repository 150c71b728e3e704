package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** Tests that links of documents lead to existing targets and that shown commands are valid. */
final class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)");

    @Test
    void shouldLinkOnlyToExistingTargets() {
        var dead = new ArrayList<String>();
        int seen = 0;
        for (Path document : ShownCommands.documents()) {
            for (String line : MarkdownFile.read(document).prose()) {
                Matcher link = LINK.matcher(line);
                while (link.find()) {
                    seen++;
                    if (!link.group(1).contains("://") && !isThere(document, link.group(1))) {
                        dead.add(ProjectFiles.nameOf(document) + ": " + link.group(1));
                    }
                }
            }
        }

        assertEquals(List.of(), dead);
        assertTrue(seen > 40, "only " + seen + " links were found");
    }

    @Test
    void shouldShowOnlyValidCommands() {
        ShownCommands shown = ShownCommands.check(command -> !LaurelMain.CHECKOUT_FOLDERS.containsKey(command));

        assertEquals(List.of(), shown.problems());
        assertTrue(shown.seen() > 30, "only " + shown.seen() + " commands were found");
    }

    /** No process writes its process id to a file. */
    @Test
    void shouldNotReadFilesOfProcessIds() {
        List<String> wrong = ShownCommands.documents().stream()
                .flatMap(document -> ShownCommands.shell(document).stream()
                        .filter(line -> line.contains(".pid"))
                        .map(line -> ProjectFiles.nameOf(document) + ": " + line))
                .toList();

        assertEquals(List.of(), wrong);
    }

    /** The commands of all documents can be run in one shell, against one set of processes. */
    @Test
    void shouldShowOneSetOfPorts() {
        var known = Set.of(
                "1025", "3000", "4318", "8080", "8081", "8082", "8083", "8084", "8085", "8181", "8404", "9000", "9090",
                "9092", "9093", "9094", "9193", "9194", "9195", "9292", "9392", "9492");
        var unknown = new TreeSet<String>();
        for (Path document : ShownCommands.documents()) {
            Matcher port = PORT.matcher(String.join("\n", ShownCommands.shell(document)));
            while (port.find()) {
                if (!known.contains(port.group(1))) {
                    unknown.add(ProjectFiles.nameOf(document) + ": " + port.group());
                }
            }
        }

        assertEquals(Set.of(), unknown);
    }

    @Test
    void shouldReportInvalidCommands() {
        List<List<String>> words = ShownCommands.in(List.of(
                "K='a b' deploy/laurel topics create --no-such \\",
                "  \"3 4\" # and so on",
                "cat x | deploy/laurel --version | less; deploy/laurel --help > out"));

        assertEquals(
                List.of(List.of("topics", "create", "--no-such", "3 4"), List.of("--version"), List.of("--help")),
                words);
        assertThrows(ParameterException.class, () -> ShownCommands.parse(words.getFirst()));
    }

    private static boolean isThere(Path document, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target)
                && (hash < 0 || MarkdownFile.read(target).anchors().contains(link.substring(hash + 1)));
    }
}
