package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.LocalDate;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * The CSV report: one line per user and difference, with the columns of {@link DifferenceRow} after the user; then one
 * line per period of each series of counts that differs, without a user.
 */
final class CsvReport implements ReportFiles.Sink {

    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder()
            .setHeader("user", "tenant", "kind", "key", "before", "after", "beforeDetail", "afterDetail", "period")
            .get();

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
                    row.key(), plain(row.before()), plain(row.after()), row.beforeDetail(), row.afterDetail(), null);
        }
    }

    private void add(ReportComparison tenant, Series series) throws IOException {
        Figures before = series.before();
        Figures after = series.after();
        if (series.entry() != null) {
            line(tenant, series, before == null ? null : before.total(), after == null ? null : after.total(), null);
            return;
        }
        for (int i = 0; i < tenant.periods().size(); i++) {
            line(tenant, series, before == null ? null : before.numbers().get(i),
                    after == null ? null : after.numbers().get(i), tenant.periods().get(i));
        }
    }

    private void line(ReportComparison tenant, Series series, @Nullable BigDecimal before, @Nullable BigDecimal after,
            @Nullable LocalDate period) throws IOException {
        lines.printRecord(null, tenant.tenant().value(), series.report() + "." + series.column(), series.object(),
                plain(before), plain(after), series.entry(), series.entry(), period);
    }

    private static @Nullable String plain(@Nullable BigDecimal number) {
        return number == null ? null : number.toPlainString();
    }

    @Override
    public void end(ReplayRun.Report report) throws IOException {
        for (ReportComparison tenant : report.counts().tenants()) {
            for (Series series : tenant.series()) {
                if (!series.isEqual()) {
                    add(tenant, series);
                }
            }
        }
        lines.flush();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
