package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import java.io.Writer;
import java.math.BigDecimal;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;

/** One line per user and difference, for spreadsheets; the columns are those of {@link DifferenceRow} behind the user. */
final class CsvReport implements ReportSink {

    /** The columns in their order. */
    private record Line(String tenant, String user, String kind, String key, String before, String after,
            String beforeDetail, String afterDetail) {}

    private final SequenceWriter lines;

    /** @param out closed with the report */
    CsvReport(Writer out) {
        CsvSchema schema = CsvSchema.builder().addColumn("tenant").addColumn("user").addColumn("kind").addColumn("key")
                .addColumn("before").addColumn("after").addColumn("beforeDetail").addColumn("afterDetail").build()
                .withHeader();
        this.lines = new CsvMapper().writerFor(Line.class).with(schema).writeValues(out);
    }

    @Override
    public void add(UserComparison comparison) {
        for (Difference difference : comparison.differences()) {
            DifferenceRow row = DifferenceRow.of(difference);
            lines.write(new Line(comparison.user().tenant().value(), comparison.user().user().value(), row.kind(),
                    row.key(), plain(row.before()), plain(row.after()), row.beforeDetail(), row.afterDetail()));
        }
    }

    private static String plain(BigDecimal number) {
        return number == null ? null : number.toPlainString();
    }

    @Override
    public void end(ReplayReport report) {
        lines.flush();
    }

    @Override
    public void close() {
        lines.close();
    }
}
