package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The size of the code as a failing build. Each module has at most as many characters of code as the table in CONTRIBUTING.md permits.
 * White space, comments, imports and package lines do not count, so that neither a formatter nor a saved comment changes the count.
 */
final class BudgetTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| [^|]*\\| ([0-9,]+) \\|$");
    private static final Pattern HEAD = Pattern.compile("(?m)^\\s*(import|package)\\s[^;]*;");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    /**
     * Text blocks, strings and characters, which stay, and comments, which go. The first alternative that matches at a place wins, so that
     * neither a comment in a string nor a quote in a comment ends the other.
     */
    private static final Pattern TOKEN = Pattern.compile(
            "(?s)(\"\"\".*?(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])*+')|//[^\\n]*+|/\\*.*?\\*/");

    private static final int MAX_FILES = 25;
    private static final int MAX_WIDTH = 140;

    @Test
    void shouldKeepEachModuleWithinItsBudget() throws IOException {
        Map<String, Long> allowed = budgets();
        Map<String, Long> counted = new TreeMap<>();
        for (String module : allowed.keySet()) {
            counted.put(module, count(javaOf(module)));
        }

        List<String> larger = counted.entrySet().stream()
                .filter(module -> module.getValue() > allowed.get(module.getKey()))
                .map(module -> module.getKey() + " has " + module.getValue() + " characters of code, "
                        + allowed.get(module.getKey()) + " are permitted")
                .toList();
        assertEquals(
                List.of(),
                larger,
                "remove code, or raise the number in CONTRIBUTING.md by a commit that says what for");
    }

    @Test
    void shouldHaveABudgetForEveryModule() throws IOException {
        String poms = Files.readString(ProjectFiles.ROOT.resolve("pom.xml"));
        List<String> modules = Pattern.compile("<module>(?:examples/)?([a-z-]+)</module>")
                .matcher(poms)
                .results()
                .map(module -> module.group(1))
                .sorted()
                .toList();

        assertEquals(modules, budgets().keySet().stream().sorted().toList());
    }

    @Test
    void shouldKeepPackagesSmall() throws IOException {
        var large = new ArrayList<String>();
        for (Path folder : foldersOf(budgets().keySet())) {
            try (Stream<Path> files = Files.list(folder)) {
                long count = files.filter(
                                file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                        .count();
                if (count > MAX_FILES) {
                    large.add(ProjectFiles.nameOf(folder) + ": " + count);
                }
            }
        }

        assertEquals(List.of(), large, "a package has at most " + MAX_FILES + " files");
    }

    /** The formatter breaks code, but neither texts nor comments. Lines of text blocks have the form of what they are a part of. */
    @Test
    void shouldKeepLinesShort() throws IOException {
        var wide = new ArrayList<String>();
        for (Path file : ProjectFiles.ending(List.of(".java"))) {
            String code = TOKEN.matcher(Files.readString(file))
                    .replaceAll(token ->
                            Matcher.quoteReplacement(token.group().startsWith("\"\"\"") ? "\"\"" : token.group()));
            code.lines()
                    .filter(line -> line.length() > MAX_WIDTH)
                    .forEach(line -> wide.add(ProjectFiles.nameOf(file) + ": " + line.strip()));
        }

        assertEquals(List.of(), wide, "a line has at most " + MAX_WIDTH + " characters");
    }

    @Test
    void shouldCountCodeOnly() {
        assertEquals(
                "classA{intb=1;}".length(),
                codeOf("package a;\n\nimport b.C;\n\n/** Text. */\nclass A {\n    int b = 1; // text\n}\n"));
        assertEquals("Stringa=\"//b\";".length(), codeOf("String a = \"//b\";"));
        assertEquals("chara='\"';charb='\"';".length(), codeOf("char a = '\"'; /* \" */ char b = '\"';"));
        assertEquals("a=\"\"\"/*b\"\"\";".length(), codeOf("a = \"\"\"\n/* b\"\"\";"));
    }

    private static Map<String, Long> budgets() throws IOException {
        Matcher row = ROW.matcher(Files.readString(ProjectFiles.ROOT.resolve("CONTRIBUTING.md")));
        var found = new TreeMap<String, Long>();
        while (row.find()) {
            found.put(row.group(1), Long.valueOf(row.group(2).replace(",", "")));
        }
        assertTrue(found.size() > 5, "CONTRIBUTING.md has no table of budgets");
        return found;
    }

    private static long count(List<Path> files) throws IOException {
        long sum = 0;
        for (Path file : files) {
            sum += codeOf(Files.readString(file));
        }
        return sum;
    }

    private static int codeOf(String source) {
        String code = TOKEN.matcher(source)
                .replaceAll(token -> token.group(1) == null ? "" : Matcher.quoteReplacement(token.group(1)));
        return SPACE.matcher(HEAD.matcher(code).replaceAll("")).replaceAll("").length();
    }

    private static Path sourcesOf(String module) {
        Path folder = ProjectFiles.ROOT.resolve(module);
        return (Files.isDirectory(folder)
                        ? folder
                        : ProjectFiles.ROOT.resolve("examples").resolve(module))
                .resolve("src/main/java");
    }

    private static List<Path> javaOf(String module) throws IOException {
        return javaOf(List.of(module));
    }

    private static List<Path> javaOf(Iterable<String> modules) throws IOException {
        return walk(modules).stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
    }

    private static List<Path> foldersOf(Iterable<String> modules) throws IOException {
        return walk(modules).stream().filter(Files::isDirectory).toList();
    }

    private static List<Path> walk(Iterable<String> modules) throws IOException {
        var found = new ArrayList<Path>();
        for (String module : modules) {
            if (Files.isDirectory(sourcesOf(module))) {
                try (Stream<Path> all = Files.walk(sourcesOf(module))) {
                    all.sorted(Comparator.naturalOrder()).forEach(found::add);
                }
            }
        }
        return found;
    }
}
