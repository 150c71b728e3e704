package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Follows the citations of documents: {@code docs/semantics.md §4}, {@code docs/admin-api.md A7, B6}, and
 * {@code docs/admin-api.md B4 "test"}, which names a part of a section. A path begins at the root of the project, or at the
 * folder of the file that cites it.
 */
final class CitationsTest {

    private static final List<String> ENDINGS = List.of(".java", ".yaml", ".yml", ".json", ".md", "pom.xml");

    /** A line break inside a comment. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*(?:\\*|//|#)?\\s*");

    private static final String SECTION =
            "(?:§ ?(?<number>\\d+)|(?<letter>[A-Z]\\d+)|part (?<part>[A-Z]))(?![\\w.]*\\w)";
    private static final Pattern DOCUMENT =
            Pattern.compile("(?<quote>\")?(?<path>[\\w./-]*\\w\\.md)(?:#(?<anchor>[\\w-]+))?(?!\\w)");

    /** Text between a document and its section, or between two sections. */
    private static final Pattern NEXT_SECTION = Pattern.compile(
            "(?:,| and| to)? ?" + SECTION + "(?:[,:]? ?(?:\"(?<name>[^\"]+)\"|\\{@code (?<code>[^}]+)\\}))?");

    /** A link whose text names a document. Its target is the cited document, its text contains the sections. */
    private static final Pattern LINK = Pattern.compile(
            "\\[(?<before>[^\\]\\[]*?)`?[\\w./-]*\\w\\.md`?(?<after>[^\\]\\[]*)\\]\\((?<target>[^)#]+)[^)]*\\)");

    private final Map<Path, MarkdownFile> documents = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int seen;
    private int seenSections;

    @Test
    void shouldCiteOnlySectionsThatExist() {
        for (Path file : ProjectFiles.ending(ENDINGS)) {
            if (!file.endsWith(CitationsTest.class.getSimpleName() + ".java")) {
                follow(file, textOf(file));
            }
        }

        assertEquals(List.of(), wrong);
        assertTrue(seen > 300, "found only " + seen + " citations");
        assertTrue(seenSections > 250, "found only " + seenSections + " citations of sections");
    }

    @Test
    void shouldNameTheDocumentOfEachRuleCase() {
        var without = new ArrayList<String>();
        int cases = 0;
        for (Path file : ProjectFiles.ending(List.of(".yaml"))) {
            if (!file.getParent().endsWith(Path.of("test", "resources", "cases"))) {
                continue;
            }
            cases++;
            if (textOf(file).lines().noneMatch(line -> line.matches("see: docs/.*"))) {
                without.add(ProjectFiles.nameOf(file));
            }
        }

        assertEquals(List.of(), without);
        assertTrue(cases > 50, "found only " + cases + " files");
    }

    @Test
    void shouldReportDanglingCitations() {
        Path here = ProjectFiles.ROOT.resolve("Here.java");

        follow(here, "docs/semantics.md §4, docs/semantics.md §99, docs/none.md, semantics.md §4");
        follow(here, "docs/admin-api.md A7, Z9; docs/admin-api.md B4 \"test\"; docs/admin-api.md B4 \"no such thing\"");
        follow(here, "docs/operations/failures.md#why-it-takes-that-long docs/operations/failures.md#none");

        assertEquals(
                List.of(
                        "Here.java: docs/semantics.md has no section 99",
                        "Here.java: docs/none.md does not exist",
                        "Here.java: semantics.md does not exist",
                        "Here.java: docs/admin-api.md has no section Z9",
                        "Here.java: docs/admin-api.md B4 says nothing of 'no such thing'",
                        "Here.java: docs/operations/failures.md has no heading for #none"),
                wrong);
    }

    private void follow(Path file, String lines) {
        String text = LINE_BREAK.matcher(lines).replaceAll(" ");
        if (file.toString().endsWith(".md")) {
            text = LINK.matcher(text).replaceAll("${before}${target}${after}");
        }
        Matcher document = DOCUMENT.matcher(text);
        while (document.find()) {
            if (document.group("quote") == null) {
                seen++;
                follow(file, text, document);
            }
        }
    }

    private void follow(Path file, String text, Matcher citation) {
        String cited = citation.group("path");
        Path path = ProjectFiles.ROOT.resolve(cited).normalize();
        if (!Files.exists(path)) {
            path = file.resolveSibling(cited).normalize();
        }
        if (!Files.exists(path)) {
            wrong.add(ProjectFiles.nameOf(file) + ": " + cited + " does not exist");
            return;
        }
        MarkdownFile document = documents.computeIfAbsent(path, MarkdownFile::read);
        String anchor = citation.group("anchor");
        if (anchor != null && !document.anchors().contains(anchor)) {
            wrong.add(ProjectFiles.nameOf(file) + ": " + cited + " has no heading for #" + anchor);
        }
        Matcher section = NEXT_SECTION.matcher(text).region(citation.end(), text.length());
        while (section.lookingAt()) {
            seenSections++;
            check(file, cited, document, section);
            section.region(section.end(), text.length());
        }
    }

    private void check(Path file, String cited, MarkdownFile document, Matcher section) {
        if (section.group("part") != null) {
            String heading = "# Part " + section.group("part");
            if (document.prose().stream().noneMatch(line -> line.startsWith(heading))) {
                wrong.add(ProjectFiles.nameOf(file) + ": " + cited + " has no part " + section.group("part"));
            }
            return;
        }
        String number = section.group("number") == null ? section.group("letter") : section.group("number");
        String name = section.group("name") == null ? section.group("code") : section.group("name");
        String text = document.section(number).orElse(null);
        if (text == null) {
            wrong.add(ProjectFiles.nameOf(file) + ": " + cited + " has no section " + number);
        } else if (name != null && !plain(text).contains(plain(name))) {
            wrong.add(ProjectFiles.nameOf(file) + ": " + cited + " " + number + " says nothing of '" + name + "'");
        }
    }

    private static String plain(String text) {
        return text.replace("`", "").toLowerCase(Locale.ROOT);
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
