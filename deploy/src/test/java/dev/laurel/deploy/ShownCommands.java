package dev.laurel.deploy;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The commands of the program that documents show.
 *
 * @param seen how many there are
 * @param problems those that the program would refuse
 */
public record ShownCommands(int seen, List<String> problems) {

    private static final String PROGRAM = "deploy/laurel";

    /** Parses the commands in all documents whose first word is selected. */
    public static ShownCommands check(Predicate<String> selected) {
        var problems = new ArrayList<String>();
        int seen = 0;
        for (Path document : documents()) {
            for (List<String> words : in(shell(document))) {
                if (words.isEmpty() || !selected.test(words.getFirst())) {
                    continue;
                }
                seen++;
                try {
                    parse(words);
                } catch (ParameterException e) {
                    problems.add(
                            ProjectFiles.nameOf(document) + ": " + String.join(" ", words) + ": " + e.getMessage());
                }
            }
        }
        return new ShownCommands(seen, problems);
    }

    static void parse(List<String> words) {
        var nobody = new PrintWriter(Writer.nullWriter());
        LaurelMain.configure(new CommandLine(new LaurelMain()), Map.of("LAUREL_KAFKA", "broker:9092"), nobody, nobody)
                .parseArgs(words.toArray(String[]::new));
    }

    static List<Path> documents() {
        return ProjectFiles.ending(List.of(".md"));
    }

    static List<String> shell(Path document) {
        return MarkdownFile.read(document).blocks("sh").stream()
                .flatMap(block -> block.lines().stream())
                .toList();
    }

    /** Returns the arguments of each call of the program in a piece of shell. */
    static List<List<String>> in(List<String> lines) {
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
