package dev.laurel.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A document of the project, split into prose and fenced blocks. */
public final class MarkdownFile {

    private static final String FENCE = "```";

    private final List<String> prose = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();

    /** A fenced block. @param language empty if the fence names no language */
    public record Block(String language, List<String> lines) {}

    private MarkdownFile(List<String> lines) {
        Block open = null;
        for (String line : lines) {
            String text = line.strip();
            if (!text.startsWith(FENCE)) {
                (open == null ? prose : open.lines()).add(line);
            } else if (open == null) {
                open = new Block(text.substring(FENCE.length()), new ArrayList<>());
                blocks.add(open);
            } else {
                open = null;
            }
        }
    }

    public static MarkdownFile read(Path file) {
        try {
            return new MarkdownFile(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines outside of fenced blocks. */
    public List<String> prose() {
        return List.copyOf(prose);
    }

    /** Returns the fenced blocks of a language, in order. */
    public List<Block> blocks(String language) {
        return blocks.stream()
                .filter(block -> block.language().equals(language))
                .toList();
    }

    /** Returns the anchors of all headings. */
    public Set<String> anchors() {
        var anchors = new TreeSet<String>();
        for (String line : prose) {
            if (isHeading(line)) {
                anchors.add(titleOf(line)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
        }
        return anchors;
    }

    /**
     * Returns the prose of a numbered section with its subsections.
     *
     * @param number number at the beginning of its heading, such as {@code 4} or {@code B1}
     */
    public Optional<String> section(String number) {
        int level = 0;
        var text = new StringBuilder();
        for (String line : prose) {
            if (isHeading(line) && (level == 0 || levelOf(line) <= level)) {
                if (level > 0) {
                    break;
                }
                level = titleOf(line).startsWith(number + ". ") ? levelOf(line) : 0;
            }
            if (level > 0) {
                text.append(line).append('\n');
            }
        }
        return level == 0 ? Optional.empty() : Optional.of(text.toString());
    }

    /** Returns all prose as one text. */
    public String text() {
        return String.join("\n", prose);
    }

    private static boolean isHeading(String line) {
        return line.matches("#+ .*");
    }

    private static int levelOf(String heading) {
        return heading.indexOf(' ');
    }

    private static String titleOf(String heading) {
        return heading.substring(levelOf(heading) + 1);
    }
}
