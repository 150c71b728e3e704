package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/** The CSV report: one line per user and difference, with the columns of {@link DifferenceRow} after the user. */
final class CsvReport implements ReportFiles.Sink {

    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder()
            .setHeader("user", "tenant", "kind", "key", "before", "after", "beforeDetail", "afterDetail").get();

    private final CSVPrinter lines;

    /** @param out closed with the report */
    CsvReport(Writer out) throws IOException {
        this.lines = new CSVPrinter(out, FORMAT);
    }

    @Override
    public void add(UserComparison comparison) throws IOException {
        for (Difference difference : comparison.differences()) {
            DifferenceRow row = DifferenceRow.of(difference);
            lines.printRecord(comparison.user().user().value(), comparison.user().tenant().value(), row.kind(),
                    row.key(), plain(row.before()), plain(row.after()), row.beforeDetail(), row.afterDetail());
        }
    }

    private static @Nullable String plain(@Nullable BigDecimal number) {
        return number == null ? null : number.toPlainString();
    }

    @Override
    public void end(ReplayRun.Report report) throws IOException {
        lines.flush();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
