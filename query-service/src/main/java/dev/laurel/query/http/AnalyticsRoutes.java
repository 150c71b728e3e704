package dev.laurel.query.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.analytics.AnalyticsReads;
import dev.laurel.query.analytics.AnalyticsReads.Question;
import dev.laurel.query.analytics.AnalyticsReads.Report;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.query.locate.NotReadyException;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code GET /admin/v1/analytics/{report}}: the reports of analytics, as JSON in columns or as CSV (docs/analytics.md §3). */
record AnalyticsRoutes(AnalyticsReads reads) implements Routes {

    private static final String CSV = "text/csv";

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/analytics/{report}", RequiredRole.VIEWER, this::report);
    }

    private void report(Context context) {
        var question = new Question(
                context.pathParam("report"),
                Query.optionalDate(context, "from"),
                Query.optionalDate(context, "to"),
                Query.optionalDate(context, "run"),
                Query.integer(context, "days", AnalyticsReads.DEFAULT_RETENTION_DAYS, 1, Cohorts.LAST_DAY),
                Query.integer(context, "limit", AnalyticsReads.MAX_PLACES, 1, AnalyticsReads.MAX_PLACES),
                context::queryParam);
        try {
            answer(context, reads.report(Caller.of(context).tenant(), question));
        } catch (NotReadyException e) {
            throw HttpRefusal.busy(String.valueOf(e.getMessage()));
        }
    }

    private static void answer(Context context, Report report) {
        if (Query.isAccepted(context, CSV)) {
            context.contentType(CSV + "; charset=utf-8").result(Rows.of(report).getBytes(UTF_8));
        } else {
            ReadAnswers.answer(context, bodyOf(report));
        }
    }

    private static Map<String, @Nullable Object> bodyOf(Report report) {
        var body = new LinkedHashMap<String, @Nullable Object>();
        body.put("report", report.name());
        if (report.span() != null) {
            body.put("from", report.span().from());
            body.put("to", report.span().to());
            body.put("granularity", report.span().granularity());
        }
        if (report.range() != null) {
            body.put("range", report.range());
        }
        if (report.segmentBy() != null) {
            body.put("segmentBy", report.segmentBy());
        }
        body.put("periods", report.table().periods());
        body.put(
                "series",
                report.table().series().stream().map(AnalyticsRoutes::bodyOf).toList());
        body.put("asOf", report.asOf());
        return body;
    }

    private static Map<String, @Nullable Object> bodyOf(Series series) {
        var body = new LinkedHashMap<String, @Nullable Object>();
        if (!series.segment().isEmpty()) {
            body.put("segment", series.segment());
        }
        if (series.object() != null) {
            body.put(series.object().kind(), series.object().key());
        }
        body.putAll(series.columns());
        return body;
    }

    /**
     * A report as a table: one row per period and series, or per place of a ranking. A column of lists becomes several columns, one for
     * each position, as do the entries of a map.
     */
    private record Rows(Report report, Set<String> header) {

        static String of(Report report) {
            return new Rows(report, new LinkedHashSet<>()).text();
        }

        private String text() {
            int rows = report.table().isRanking()
                    ? report.table().places()
                    : Math.max(1, report.table().periods().size());
            if (rows == 0) {
                report.table()
                        .series()
                        .forEach(series -> header.addAll(series.columns().keySet()));
            }
            var cells = report.table().series().stream()
                    .flatMap(series -> IntStream.range(0, rows).mapToObj(row -> row(series, row)))
                    .toList();
            var text = new StringBuilder();
            try (var table = new CsvTable(text)) {
                table.add(List.copyOf(header));
                for (Map<String, @Nullable Object> row : cells) {
                    table.add(header.stream().map(row::get).toList());
                }
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory", e);
            }
            return text.toString();
        }

        private Map<String, @Nullable Object> row(Series series, int row) {
            var cells = new LinkedHashMap<String, @Nullable Object>();
            if (!report.table().periods().isEmpty()) {
                cells.put("period", report.table().periods().get(row));
            }
            cells.putAll(series.segment());
            if (series.object() != null) {
                cells.put(series.object().kind(), series.object().key());
            }
            series.columns().forEach((name, value) -> add(cells, name, value, row));
            header.addAll(cells.keySet());
            return cells;
        }

        /** The value of a period or place, where there is one for each. */
        private @Nullable Object ofRow(@Nullable Object value, int row) {
            boolean hasRows =
                    report.table().isRanking() || !report.table().periods().isEmpty();
            return value instanceof List<?> list && hasRows ? list.get(row) : value;
        }

        private void add(Map<String, @Nullable Object> cells, String name, @Nullable Object column, int row) {
            Object value = ofRow(column, row);
            switch (value) {
                case List<?> list -> {
                    for (int i = 0; i < list.size(); i++) {
                        cells.put(name + i, list.get(i));
                    }
                }
                case Map<?, ?> map -> map.forEach((key, entry) -> add(cells, name + "." + key, entry, row));
                case null, default -> cells.put(name, value);
            }
        }
    }
}
