package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.UserComparison;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.http.CsvTable;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CSV report: one line per user and difference, with the columns of {@link DifferenceRow} after the user; then one
 * line per period of each series of counts that differs, without a user.
 */
final class CsvReport implements ReportFiles.Sink {

    private final CsvTable table;

    /** @param out closed with the report */
    CsvReport(Writer out) throws IOException {
        this.table = new CsvTable(out);
        table.add(List.of("user", "tenant", "kind", "key", "before", "after", "beforeDetail", "afterDetail", "period"));
    }

    @Override
    public void add(UserComparison comparison) throws IOException {
        for (Difference difference : comparison.differences()) {
            DifferenceRow row = DifferenceRow.of(difference);
            table.add(Arrays.asList(
                    comparison.user().user().value(),
                    comparison.user().tenant().value(),
                    row.kind(),
                    row.key(),
                    row.before(),
                    row.after(),
                    detail(row, row.beforeDetail()),
                    detail(row, row.afterDetail()),
                    null));
        }
    }

    private void add(ReportComparison tenant, Series series) throws IOException {
        Figures before = series.before();
        Figures after = series.after();
        if (series.entry() != null) {
            line(tenant, series, TextReport.total(before), TextReport.total(after), null);
            return;
        }
        for (int i = 0; i < tenant.periods().size(); i++) {
            line(
                    tenant,
                    series,
                    before == null ? null : before.numbers().get(i),
                    after == null ? null : after.numbers().get(i),
                    tenant.periods().get(i));
        }
    }

    private void line(
            ReportComparison tenant,
            Series series,
            @Nullable BigDecimal before,
            @Nullable BigDecimal after,
            @Nullable LocalDate period)
            throws IOException {
        table.add(Arrays.asList(
                null,
                tenant.tenant().value(),
                series.report() + "." + series.column(),
                series.object(),
                before,
                after,
                series.entry(),
                series.entry(),
                period));
    }

    /** The value of a rank is a number unless it names a group. */
    private static @Nullable Object detail(DifferenceRow row, @Nullable String text) {
        return text != null && row.kind().equals("place") && text.indexOf(' ') < 0 ? new BigDecimal(text) : text;
    }

    @Override
    public void end(ReplayReport report) throws IOException {
        for (ReportComparison tenant : report.counts().tenants()) {
            for (Series series : tenant.series()) {
                if (!series.isEqual()) {
                    add(tenant, series);
                }
            }
        }
        table.flush();
    }

    @Override
    public void close() throws IOException {
        table.close();
    }
}
