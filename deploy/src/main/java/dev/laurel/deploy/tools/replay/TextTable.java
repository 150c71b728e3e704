package dev.laurel.deploy.tools.replay;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns as wide as what stands in them; numbers end where their headline ends. */
final class TextTable {

    private static final String GAP = "  ";

    private final boolean[] isNumber;
    private final List<String[]> rows = new ArrayList<>();

    /** @param header a text that begins with a blank heads a column of numbers */
    TextTable(String... header) {
        this.isNumber = new boolean[header.length];
        for (int i = 0; i < header.length; i++) {
            isNumber[i] = header[i].startsWith(" ");
        }
        rows.add(Arrays.stream(header).map(String::strip).toArray(String[]::new));
    }

    void row(String... cells) {
        rows.add(cells);
    }

    void print(PrintWriter out) {
        var widths = new int[isNumber.length];
        rows.forEach(row -> {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        for (String[] row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String blanks = " ".repeat(widths[i] - row[i].length());
                line.append(i == 0 ? "" : GAP).append(isNumber[i] ? blanks + row[i] : row[i] + blanks);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
