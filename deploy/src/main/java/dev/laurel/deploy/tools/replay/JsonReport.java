package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparisonTotals.ChangeRange;
import dev.laurel.core.compare.ComparisonTotals.Completions;
import dev.laurel.core.compare.ComparisonTotals.MetricSums;
import dev.laurel.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.core.compare.ComparisonTotals.TenantsKey;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.schemas.key.UserKey;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON report, described by {@code replay-report.schema.json}. Users are written as they are found and totals at
 * the end, so memory does not depend on the number of users.
 */
final class JsonReport implements ReportFiles.Sink {

    /** Writes amounts with the fractional digits that they have. */
    private static final JsonMapper JSON = JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private final JsonGenerator json;

    private record FoundUser(String tenant, String user, List<DifferenceRow> differences) {}

    private record Totals(long users, long different, long onlyOtherRank, long onlyAfter, long onlyBefore,
            Map<String, Users> tenants, Map<String, Points> points, List<Level> levels,
            Map<String, Completions> achievements, Streaks streaks, Map<String, Moves> leaderboards,
            Map<String, MetricSums> metrics) {}

    private record Users(long users, long different, long onlyOtherRank) {}

    private record Points(long before, long after, long users, List<ChangeRange> changes) {}

    private record Level(String pointsSystem, @Nullable String before, @Nullable String after, long users) {}

    private record Streaks(long begun, long gone, long longer, long shorter, long otherDays) {}

    private record Moves(long entered, long left, long otherValue, long onlyOtherRank) {}

    private record CountedSeries(String report, String object, String column, @Nullable String entry, boolean equal,
            @Nullable Figures before, @Nullable Figures after) {}

    /** @param out closed with the report */
    JsonReport(Writer out) {
        this.json = JSON.createGenerator(out);
        json.writeStartObject().writeArrayPropertyStart("users");
    }

    /** Returns a report that has only the users with the largest differences, the largest first. */
    static ReportFiles.Sink ofLargest(Writer out) {
        var report = new JsonReport(out);
        return new ReportFiles.Sink() {
            @Override
            public void add(UserComparison comparison) {
                // The totals keep the largest.
            }

            @Override
            public void end(ReplayReport of) {
                of.totals().largest().forEach(report::add);
                report.end(of);
            }

            @Override
            public void close() {
                report.close();
            }
        };
    }

    @Override
    public void add(UserComparison comparison) {
        UserKey user = comparison.user();
        json.writePOJO(new FoundUser(user.tenant().value(), user.user().value(),
                comparison.differences().stream().map(DifferenceRow::of).toList())).writeRaw('\n');
    }

    @Override
    public void end(ReplayReport report) {
        json.writeEndArray().writeStringProperty("rules", report.rules())
                .writeBooleanProperty("whatIf", report.isWhatIf()).writeStringProperty("at", report.at().toString());
        if (report.commands() != null) {
            json.writeNumberProperty("records", report.commands());
        }
        json.writeNumberProperty("seconds", report.elapsed().toMillis() / 1000.0)
                .writePOJOProperty("totals", of(report.totals()));
        counts(report.counts());
        json.writeNumberProperty("notCompared", report.notCompared()).writePOJOProperty("notes", report.notes())
                .writeEndObject().flush();
    }

    private static Totals of(ComparisonTotals totals) {
        var points = new LinkedHashMap<String, Points>();
        totals.points().forEach((system, sums) -> points.put(system.text(),
                new Points(sums.before(), sums.after(), sums.users(), totals.changes(system))));
        StreakMoves streaks = totals.streaks();
        return new Totals(totals.users(), totals.different(), totals.overtaken(), totals.appeared(),
                totals.disappeared(),
                named(totals.tenants(), Function.identity(),
                        users -> new Users(users.users(), users.different(), users.overtaken())),
                points,
                totals.levelMoves().stream()
                        .map(move -> new Level(move.system().text(), move.from(), move.to(), move.users())).toList(),
                named(totals.achievements(), TenantsKey::text, Function.identity()),
                new Streaks(streaks.begun(), streaks.gone(), streaks.longer(), streaks.shorter(), streaks.moved()),
                named(totals.entries(), TenantsKey::text,
                        moves -> new Moves(moves.entered(), moves.left(), moves.otherValue(), moves.onlyRank())),
                named(totals.metrics(), TenantsKey::text, Function.identity()));
    }

    private static <K, V, R> Map<String, R> named(Map<K, V> objects, Function<K, String> name, Function<V, R> form) {
        var named = new LinkedHashMap<String, R>();
        objects.forEach((key, object) -> named.put(name.apply(key), form.apply(object)));
        return named;
    }

    private void counts(Counts counts) {
        json.writeArrayPropertyStart("counts");
        for (ReportComparison tenant : counts.tenants()) {
            json.writeStartObject().writeStringProperty("tenant", tenant.tenant().value())
                    .writeStringProperty("from", tenant.span().from().toString())
                    .writeStringProperty("to", tenant.span().to().toString())
                    .writeStringProperty("granularity", tenant.span().granularity())
                    .writePOJOProperty("periods", tenant.periods()).writeArrayPropertyStart("series");
            for (Series series : tenant.series()) {
                json.writePOJO(new CountedSeries(series.report(), series.object(), series.column(), series.entry(),
                        series.isEqual(), series.before(), series.after())).writeRaw('\n');
            }
            json.writeEndArray().writeEndObject().writeRaw('\n');
        }
        json.writeEndArray();
    }

    @Override
    public void close() {
        json.close();
    }
}
