package dev.laurel.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** Columns for a terminal, as wide as what stands in them; numbers end where their headline ends. Single-threaded. */
public final class TextTable {

    private static final String GAP = "  ";

    private final IntPredicate isNumber;
    private final List<List<String>> rows = new ArrayList<>();

    private TextTable(IntPredicate isNumber) {
        this.isNumber = isNumber;
    }

    /** @param header a text that begins with a blank heads a column of numbers */
    public static TextTable under(String... header) {
        var table = new TextTable(column -> header[column].startsWith(" "));
        return table.row(Arrays.stream(header).map(String::strip).toArray(String[]::new));
    }

    /** Numbers in all columns but the first. */
    public static TextTable ofNumbers() {
        return new TextTable(column -> column > 0);
    }

    /** @param cells may be fewer than in other rows */
    public TextTable row(String... cells) {
        return row(List.of(cells));
    }

    /** @param cells may be fewer than in other rows */
    public TextTable row(List<String> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    /** Each row is a line, ended as such. */
    public String text() {
        int[] widths = widths();
        var text = new StringBuilder();
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String blanks = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : GAP).append(isNumber.test(i) ? blanks + row.get(i) : row.get(i) + blanks);
            }
            text.append(line.toString().stripTrailing()).append('\n');
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
}
