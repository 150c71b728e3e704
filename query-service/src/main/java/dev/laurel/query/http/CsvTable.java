package dev.laurel.query.http;

import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Writes every CSV of Laurel (docs/analytics.md §3): RFC 4180, in which no text is a formula to a spreadsheet. Such texts
 * get an apostrophe, also those that look as if they had got it, so that each can be read back. Used by one thread.
 */
public final class CsvTable implements Closeable {

    private static final Pattern FORMULA =
            Pattern.compile("'*[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*", Pattern.DOTALL);

    private final CSVPrinter lines;

    /** @param out closed with the table, if it can be closed */
    public CsvTable(Appendable out) throws IOException {
        this.lines = new CSVPrinter(out, CSVFormat.RFC4180);
    }

    /** @param cells numbers, or what is written as its text; null: an empty cell */
    public void add(List<? extends @Nullable Object> cells) throws IOException {
        lines.printRecord(cells.stream().map(CsvTable::cell).toList());
    }

    private static @Nullable Object cell(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal number -> number.toPlainString();
            case Number number -> number;
            default -> {
                String text = value.toString();
                yield FORMULA.matcher(text).matches() ? "'" + text : text;
            }
        };
    }

    public void flush() throws IOException {
        lines.flush();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
