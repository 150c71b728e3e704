package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.core.compare.ComparisonTotals.TenantsKey;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Counts;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.analytics.ReportComparison;
import java.io.Writer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON report, described by {@code replay-report.schema.json}. Users are written as they are found and totals at
 * the end, so memory does not depend on the number of users.
 */
final class JsonReport implements ReportFiles.Sink {

    private final JsonGenerator json;

    /** @param out closed with the report */
    JsonReport(Writer out) {
        this.json = JsonFactory.builder().build().createGenerator(ObjectWriteContext.empty(), out);
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
            public void end(ReplayRun.Report of) {
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
        json.writeStartObject().writeStringProperty("tenant", comparison.user().tenant().value())
                .writeStringProperty("user", comparison.user().user().value()).writeArrayPropertyStart("differences");
        for (Difference difference : comparison.differences()) {
            DifferenceRow row = DifferenceRow.of(difference);
            json.writeStartObject().writeStringProperty("kind", row.kind()).writeStringProperty("key", row.key())
                    .writeNumberProperty("before", row.before()).writeNumberProperty("after", row.after())
                    .writeStringProperty("beforeDetail", row.beforeDetail())
                    .writeStringProperty("afterDetail", row.afterDetail()).writeEndObject();
        }
        json.writeEndArray().writeEndObject().writeRaw('\n');
    }

    @Override
    public void end(ReplayRun.Report report) {
        json.writeEndArray().writeStringProperty("rules", report.rules())
                .writeBooleanProperty("whatIf", report.isWhatIf()).writeStringProperty("at", report.at().toString());
        if (report.commands() != null) {
            json.writeNumberProperty("records", report.commands());
        }
        json.writeNumberProperty("seconds", report.elapsed().toMillis() / 1000.0)
                .writeObjectPropertyStart("totals");
        totals(report.totals());
        json.writeEndObject();
        counts(report.counts());
        json.writeNumberProperty("notCompared", report.notCompared())
                .writeArrayPropertyStart("notes");
        report.notes().forEach(json::writeString);
        json.writeEndArray().writeEndObject().flush();
    }

    private void totals(ComparisonTotals totals) {
        json.writeNumberProperty("users", totals.users()).writeNumberProperty("different", totals.different())
                .writeNumberProperty("onlyOtherRank", totals.overtaken())
                .writeNumberProperty("onlyAfter", totals.appeared())
                .writeNumberProperty("onlyBefore", totals.disappeared());
        objects("tenants", totals.tenants(), Function.identity(), users -> json
                .writeNumberProperty("users", users.users()).writeNumberProperty("different", users.different())
                .writeNumberProperty("onlyOtherRank", users.overtaken()));
        points(totals);
        json.writeArrayPropertyStart("levels");
        totals.levelMoves().forEach(move -> json.writeStartObject()
                .writeStringProperty("pointsSystem", move.system().text()).writeStringProperty("before", move.from())
                .writeStringProperty("after", move.to()).writeNumberProperty("users", move.users()).writeEndObject());
        json.writeEndArray();
        objects("achievements", totals.achievements(), TenantsKey::text, completions -> json
                .writeNumberProperty("gained", completions.gained()).writeNumberProperty("lost", completions.lost()));
        StreakMoves streaks = totals.streaks();
        json.writeObjectPropertyStart("streaks").writeNumberProperty("begun", streaks.begun())
                .writeNumberProperty("gone", streaks.gone()).writeNumberProperty("longer", streaks.longer())
                .writeNumberProperty("shorter", streaks.shorter()).writeNumberProperty("otherDays", streaks.moved())
                .writeEndObject();
        objects("leaderboards", totals.entries(), TenantsKey::text, moves -> json
                .writeNumberProperty("entered", moves.entered()).writeNumberProperty("left", moves.left())
                .writeNumberProperty("otherValue", moves.otherValue())
                .writeNumberProperty("onlyOtherRank", moves.onlyRank()));
        objects("metrics", totals.metrics(), TenantsKey::text, sums -> json.writeNumberProperty("before", sums.before())
                .writeNumberProperty("after", sums.after()).writeNumberProperty("users", sums.users()));
    }

    private void points(ComparisonTotals totals) {
        json.writeObjectPropertyStart("points");
        totals.points().forEach((system, sums) -> {
            json.writeObjectPropertyStart(system.text()).writeNumberProperty("before", sums.before())
                    .writeNumberProperty("after", sums.after()).writeNumberProperty("users", sums.users())
                    .writeArrayPropertyStart("changes");
            totals.changes(system).forEach(range -> json.writeStartObject().writeNumberProperty("from", range.from())
                    .writeNumberProperty("to", range.to()).writeNumberProperty("users", range.users())
                    .writeEndObject());
            json.writeEndArray().writeEndObject();
        });
        json.writeEndObject();
    }

    private void counts(Counts counts) {
        json.writeArrayPropertyStart("counts");
        for (ReportComparison tenant : counts.tenants()) {
            json.writeStartObject().writeStringProperty("tenant", tenant.tenant().value())
                    .writeStringProperty("from", tenant.span().from().toString())
                    .writeStringProperty("to", tenant.span().to().toString())
                    .writeStringProperty("granularity", tenant.span().granularity())
                    .writeArrayPropertyStart("periods");
            tenant.periods().forEach(period -> json.writeString(period.toString()));
            json.writeEndArray().writeArrayPropertyStart("series");
            tenant.series().forEach(this::series);
            json.writeEndArray().writeEndObject().writeRaw('\n');
        }
        json.writeEndArray();
    }

    private void series(Series series) {
        json.writeStartObject().writeStringProperty("report", series.report())
                .writeStringProperty("object", series.object()).writeStringProperty("column", series.column())
                .writeStringProperty("entry", series.entry()).writeBooleanProperty("equal", series.isEqual());
        figures("before", series.before());
        figures("after", series.after());
        json.writeEndObject().writeRaw('\n');
    }

    private void figures(String name, @Nullable Figures figures) {
        if (figures == null) {
            json.writeNullProperty(name);
            return;
        }
        json.writeObjectPropertyStart(name).writeNumberProperty("total", figures.total())
                .writeArrayPropertyStart("numbers");
        figures.numbers().forEach(json::writeNumber);
        json.writeEndArray().writeEndObject();
    }

    /** @param fields writes the fields of one object */
    private <K, V> void objects(String name, Map<K, V> objects, Function<K, String> key, Consumer<V> fields) {
        json.writeObjectPropertyStart(name);
        objects.forEach((id, object) -> {
            json.writeObjectPropertyStart(key.apply(id));
            fields.accept(object);
            json.writeEndObject();
        });
        json.writeEndObject();
    }

    @Override
    public void close() {
        json.close();
    }
}
