package dev.laurel.deploy.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A table for a terminal, whose cells are {@link Terminal#visible}. Columns are as wide as their content; columns of numbers are
 * right-aligned. Used by one thread.
 */
public final class TextTable {

    private static final String GAP = "  ";

    private final IntPredicate isNumber;
    private final List<List<String>> rows = new ArrayList<>();

    private TextTable(IntPredicate isNumber) {
        this.isNumber = isNumber;
    }

    /** @param header the header of a column of numbers begins with a blank */
    public static TextTable under(String... header) {
        var table = new TextTable(column -> header[column].startsWith(" "));
        return table.row(Arrays.stream(header).map(String::strip).toArray(String[]::new));
    }

    /** Creates a table in which all columns but the first hold numbers. */
    public static TextTable ofNumbers() {
        return new TextTable(column -> column > 0);
    }

    /** @param cells may be fewer than in other rows */
    public TextTable row(String... cells) {
        return row(List.of(cells));
    }

    /** @param cells may be fewer than in other rows */
    public TextTable row(List<String> cells) {
        rows.add(cells.stream().map(Terminal::visible).toList());
        return this;
    }

    /** Returns the rows as lines. */
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
