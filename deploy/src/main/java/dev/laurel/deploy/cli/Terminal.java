package dev.laurel.deploy.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The output and the messages of all commands, in which texts of users and servers can neither control the terminal nor
 * pretend to be other lines. Control characters, those that reverse the direction of text, and line separators are shown,
 * such as {@code \u001b}; line breaks are, too, in what is printed by {@code println} and in the arguments of {@code printf},
 * which are parts of one line. What is printed by {@code print} keeps its line breaks and tabs: it is made of lines whose
 * texts are {@link #visible}.
 */
public final class Terminal extends PrintWriter {

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
        int clean = 0;
        while (clean < text.length() && !isShown(text, clean)) {
            clean++;
        }
        if (clean == text.length()) {
            return text;
        }
        var visible = new StringBuilder(text.substring(0, clean));
        for (int i = clean; i < text.length(); i++) {
            if (isShown(text, i)) {
                show(visible, text.charAt(i));
            } else {
                visible.append(text.charAt(i));
            }
        }
        return visible.toString();
    }

    private static boolean isShown(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        } else if (Character.isLowSurrogate(c)) {
            return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
        }
        return isControl(c);
    }

    private static boolean isControl(char c) {
        return c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x61c || c >= 0x200e && c <= 0x200f
                || c >= 0x2028 && c <= 0x202e
                || c >= 0x2066 && c <= 0x2069;
    }

    private static void show(StringBuilder text, char c) {
        text.append(String.format("\\u%04x", (int) c));
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
                .map(value -> value instanceof Number || value == null ? value : visible(value.toString())).toArray();
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
        var lines = new StringBuilder(length);
        for (int i = from; i < from + length; i++) {
            char c = text.charAt(i);
            boolean isInLineBreak = c == '\n' || c == '\r' && i + 1 < from + length && text.charAt(i + 1) == '\n';
            if (isControl(c) && !isInLineBreak && c != '\t') {
                show(lines, c);
            } else {
                lines.append(c);
            }
        }
        super.write(lines.toString(), 0, lines.length());
    }
}
