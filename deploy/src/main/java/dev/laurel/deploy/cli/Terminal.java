package dev.laurel.deploy.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The output and the messages of all commands, in which texts of users and servers can neither control the terminal nor
 * pretend to be other lines. Control characters, those that reverse the direction of text, and line separators are shown,
 * such as {@code \u001b}; line breaks are, too, in what is printed by {@code println} and in the arguments of {@code printf},
 * which are parts of one line. What is printed by {@code print} keeps its line breaks and tabs: it is made of lines whose
 * texts are {@link #visible}.
 */
public final class Terminal extends PrintWriter {

    private static final String CONTROLS =
            "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";

    /** Also halves of surrogate pairs. */
    private static final Pattern IN_LINE = Pattern.compile("[\\t\\n\\r\\ud800-\\udfff" + CONTROLS + "]");

    private static final Pattern IN_LINES = Pattern.compile("\\r(?!\\n)|[" + CONTROLS + "]");

    private final PrintWriter raw;

    public Terminal(PrintWriter raw) {
        super(raw, true);
        this.raw = raw;
    }

    /**
     * The output for a document that a program reads, such as CSV, YAML or JSON: as it is if the output goes to a file or a
     * program, shown like everything else on a terminal.
     */
    public static PrintWriter forDocument(PrintWriter out) {
        return out instanceof Terminal terminal && !ProgressReporter.isOnTerminal() ? terminal.raw : out;
    }

    /** The text as part of a line, with all control characters shown. */
    public static String visible(String text) {
        return shown(IN_LINE, text);
    }

    private static String shown(Pattern which, CharSequence text) {
        return which.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        String.format("\\u%04x", (int) found.group().charAt(0))));
    }

    @Override
    public void println(@Nullable String line) {
        super.println(visible(String.valueOf(line)));
    }

    @Override
    public void println(@Nullable Object line) {
        println(String.valueOf(line));
    }

    @Override
    public PrintWriter format(String format, @Nullable Object... values) {
        return super.format(format, shown(values));
    }

    @Override
    public PrintWriter format(@Nullable Locale locale, String format, @Nullable Object... values) {
        return super.format(locale, format, shown(values));
    }

    private static @Nullable Object[] shown(@Nullable Object[] values) {
        return Arrays.stream(values)
                .map(value -> value instanceof Number || value == null ? value : visible(value.toString()))
                .toArray();
    }

    @Override
    public void write(int c) {
        write(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] text, int from, int length) {
        write(String.valueOf(text, from, length), 0, length);
    }

    @Override
    public void write(String text, int from, int length) {
        String lines = shown(IN_LINES, text.substring(from, from + length));
        super.write(lines, 0, lines.length());
    }
}
