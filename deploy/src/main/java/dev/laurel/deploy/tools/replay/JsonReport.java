package dev.laurel.deploy.tools.replay;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.schemas.key.UserKey;
import java.io.Writer;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON report, described by {@code replay-report.schema.json}. Users are written as they are found and totals at
 * the end, so memory does not depend on the number of users.
 */
final class JsonReport implements ReportFiles.Sink {

    /** Writes amounts with the fractional digits that they have. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .addMixIn(Sums.class, SumsForm.class)
            .addMixIn(Series.class, SeriesForm.class)
            .build();

    private final JsonGenerator json;

    /** Whether the report has only the users with the largest differences, the largest first. */
    private final boolean isOfLargest;

    @JsonIgnoreProperties({"otherLevelMoves", "largest"})
    private interface SumsForm {}

    @JsonPropertyOrder({"report", "object", "column", "entry", "equal"})
    private interface SeriesForm {}

    private record FoundUser(String tenant, String user, List<DifferenceRow> differences) {}

    /** @param out closed with the report */
    JsonReport(Writer out) {
        this(out, false);
    }

    private JsonReport(Writer out, boolean isOfLargest) {
        this.isOfLargest = isOfLargest;
        this.json = JSON.createGenerator(out);
        json.writeStartObject().writeArrayPropertyStart("users");
    }

    /** Returns a report that has only the users with the largest differences, which the totals keep. */
    static JsonReport ofLargest(Writer out) {
        return new JsonReport(out, true);
    }

    @Override
    public void add(UserComparison comparison) {
        if (!isOfLargest) {
            write(comparison);
        }
    }

    private void write(UserComparison comparison) {
        UserKey user = comparison.user();
        json.writePOJO(new FoundUser(
                        user.tenant().value(),
                        user.user().value(),
                        comparison.differences().stream().map(DifferenceRow::of).toList()))
                .writeRaw('\n');
    }

    @Override
    public void end(ReplayReport report) {
        if (isOfLargest) {
            report.totals().largest().forEach(this::write);
        }
        json.writeEndArray()
                .writeStringProperty("rules", report.rules())
                .writeBooleanProperty("whatIf", report.isWhatIf())
                .writeStringProperty("at", report.at().toString());
        if (report.commands() != null) {
            json.writeNumberProperty("records", report.commands());
        }
        json.writeNumberProperty("seconds", report.elapsed().toMillis() / 1000.0)
                .writePOJOProperty("totals", report.totals());
        counts(report.counts());
        json.writeNumberProperty("notCompared", report.notCompared())
                .writePOJOProperty("notes", report.notes())
                .writeEndObject()
                .flush();
    }

    private void counts(Counts counts) {
        json.writeArrayPropertyStart("counts");
        for (ReportComparison tenant : counts.tenants()) {
            json.writeStartObject()
                    .writeStringProperty("tenant", tenant.tenant().value())
                    .writeStringProperty("from", tenant.span().from().toString())
                    .writeStringProperty("to", tenant.span().to().toString())
                    .writeStringProperty("granularity", tenant.span().granularity())
                    .writePOJOProperty("periods", tenant.periods())
                    .writeArrayPropertyStart("series");
            for (Series series : tenant.series()) {
                json.writePOJO(series).writeRaw('\n');
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
