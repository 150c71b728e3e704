package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Tests that links of documents lead to existing targets and that shown commands are valid. */
final class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)");
    private static final String PROGRAM = "deploy/laurel";

    @Test
    void shouldLinkOnlyToExistingTargets() {
        var dead = new ArrayList<String>();
        int seen = 0;
        for (Path document : documents()) {
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
        var wrong = new ArrayList<String>();
        int seen = 0;
        for (Path document : documents()) {
            for (List<String> words : commands(shell(document))) {
                seen++;
                try {
                    parse(words);
                } catch (ParameterException e) {
                    wrong.add(ProjectFiles.nameOf(document) + ": " + String.join(" ", words) + ": " + e.getMessage());
                }
            }
        }

        assertEquals(List.of(), wrong);
        assertTrue(seen > 30, "only " + seen + " commands were found");
    }

    /** No process writes its process id to a file. */
    @Test
    void shouldNotReadFilesOfProcessIds() {
        List<String> wrong = documents().stream().flatMap(document -> shell(document).stream()
                .filter(line -> line.contains(".pid")).map(line -> ProjectFiles.nameOf(document) + ": " + line))
                .toList();

        assertEquals(List.of(), wrong);
    }

    /** The commands of all documents can be run in one shell, against one set of processes. */
    @Test
    void shouldShowOneSetOfPorts() {
        var known = Set.of("1025", "3000", "4318", "8080", "8081", "8082", "8083", "8084", "8085", "8181", "8404",
                "9000",
                "9090", "9092", "9093", "9094", "9193", "9194", "9195", "9292", "9392", "9492");
        var unknown = new TreeSet<String>();
        for (Path document : documents()) {
            Matcher port = PORT.matcher(String.join("\n", shell(document)));
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
        List<List<String>> words = commands(List.of("K='a b' deploy/laurel topics create --no-such \\",
                "  \"3 4\" # and so on", "cat x | deploy/laurel --version | less; deploy/laurel --help > out"));

        assertEquals(List.of(List.of("topics", "create", "--no-such", "3 4"), List.of("--version"), List.of("--help")),
                words);
        assertThrows(ParameterException.class, () -> parse(words.getFirst()));
    }

    private static void parse(List<String> words) {
        var nobody = new PrintWriter(Writer.nullWriter());
        LaurelMain.configure(new CommandLine(new LaurelMain()), Map.of("LAUREL_KAFKA", "broker:9092"), nobody, nobody)
                .parseArgs(words.toArray(String[]::new));
    }

    private static List<Path> documents() {
        return ProjectFiles.ending(List.of(".md"));
    }

    private static boolean isThere(Path document, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target)
                && (hash < 0 || MarkdownFile.read(target).anchors().contains(link.substring(hash + 1)));
    }

    private static List<String> shell(Path document) {
        return MarkdownFile.read(document).blocks("sh").stream().flatMap(block -> block.lines().stream()).toList();
    }

    /** Returns the arguments of each call of the program in a piece of shell. */
    private static List<List<String>> commands(List<String> lines) {
        var commands = new ArrayList<List<String>>();
        for (String line : String.join("\n", lines).replace("\\\n", " ").split("\n")) {
            for (List<String> words : simpleCommands(line)) {
                int program = words.indexOf(PROGRAM);
                if (program >= 0) {
                    commands.add(words.subList(program + 1, words.size()));
                }
            }
        }
        return commands;
    }

    /** Removes redirections and comments. */
    private static List<List<String>> simpleCommands(String line) {
        var all = new ArrayList<List<String>>();
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        boolean isWord = false;
        boolean isRedirected = false;
        char quote = 0;
        for (char c : (line + '\n').toCharArray()) {
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
                continue;
            }
            if (c == '\'' || c == '"') {
                quote = c;
                isWord = true;
                continue;
            }
            boolean isEnd = " \n;|&<>".indexOf(c) >= 0;
            if (!isEnd && !(c == '#' && !isWord)) {
                word.append(c);
                isWord = true;
                continue;
            }
            if (isWord && !isRedirected && !(c == '>' && word.toString().matches("\\d"))) {
                words.add(word.toString());
            }
            isRedirected = isRedirected && (!isWord || c == '>' || c == '<') || c == '>' || c == '<';
            word.setLength(0);
            isWord = false;
            if (c == ';' || c == '|' || c == '&' || c == '\n' || c == '#') {
                all.add(List.copyOf(words));
                words.clear();
                isRedirected = false;
            }
            if (c == '#') {
                break;
            }
        }
        return all;
    }
}
