package dev.laurel.deploy.bench;

import java.util.ArrayList;
import java.util.List;

/** Columns for a terminal: the first to the left, the others to the right. Single-threaded. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** @param row may be shorter than others */
    void add(List<String> row) {
        rows.add(List.copyOf(row));
    }

    /** Each row is a line, ended as such. */
    String text() {
        int[] widths = widths();
        var text = new StringBuilder();
        for (List<String> row : rows) {
            text.append(line(row, widths)).append('\n');
        }
        return text.toString();
    }

    private int[] widths() {
        int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder(pad(row.getFirst(), widths[0], false));
        for (int i = 1; i < row.size(); i++) {
            line.append(GAP).append(pad(row.get(i), widths[i], true));
        }
        return line.toString().stripTrailing();
    }

    private static String pad(String text, int width, boolean right) {
        String spaces = " ".repeat(width - text.length());
        return right ? spaces + text : text + spaces;
    }
}
