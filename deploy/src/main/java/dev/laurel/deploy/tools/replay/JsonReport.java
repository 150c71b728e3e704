package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import java.io.Writer;
import java.math.BigDecimal;
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
        json.writeStartObject();
        json.writeName("users");
        json.writeStartArray();
    }

    @Override
    public void add(UserComparison comparison) {
        json.writeStartObject();
        json.writeStringProperty("tenant", comparison.user().tenant().value());
        json.writeStringProperty("user", comparison.user().user().value());
        json.writeName("differences");
        json.writeStartArray();
        for (Difference difference : comparison.differences()) {
            DifferenceRow row = DifferenceRow.of(difference);
            json.writeStartObject();
            json.writeStringProperty("kind", row.kind());
            json.writeStringProperty("key", row.key());
            number("before", row.before());
            number("after", row.after());
            text("beforeDetail", row.beforeDetail());
            text("afterDetail", row.afterDetail());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void end(ReplayReport report) {
        json.writeEndArray();
        json.writeStringProperty("rules", report.rules());
        json.writeBooleanProperty("whatIf", report.isWhatIf());
        json.writeStringProperty("at", report.at().toString());
        json.writeNumberProperty("records", report.commands());
        json.writeNumberProperty("seconds", report.elapsed().toMillis() / 1000.0);
        totals(report.totals());
        json.writeNumberProperty("notCompared", report.notCompared());
        strings("notes", report.notes());
        json.writeEndObject();
        json.flush();
    }

    private void totals(ComparisonTotals totals) {
        json.writeName("totals");
        json.writeStartObject();
        json.writeNumberProperty("users", totals.users());
        json.writeNumberProperty("different", totals.different());
        json.writeNumberProperty("onlyOtherRank", totals.overtaken());
        json.writeNumberProperty("onlyAfter", totals.appeared());
        json.writeNumberProperty("onlyBefore", totals.disappeared());
        json.writeName("tenants");
        json.writeStartObject();
        totals.tenants().forEach((tenant, users) -> {
            json.writeName(tenant);
            numbers("users", users.users(), "different", users.different(), "onlyOtherRank", users.overtaken());
        });
        json.writeEndObject();
        json.writeName("points");
        json.writeStartObject();
        totals.points().forEach((key, sums) -> {
            json.writeName(key.text());
            numbers("before", sums.before(), "after", sums.after(), "users", sums.users());
        });
        json.writeEndObject();
        levels(totals);
        json.writeName("achievements");
        json.writeStartObject();
        totals.achievements().forEach((key, made) -> {
            json.writeName(key.text());
            numbers("gained", made.gained(), "lost", made.lost());
        });
        json.writeEndObject();
        StreakMoves streaks = totals.streaks();
        json.writeName("streaks");
        numbers("begun", streaks.begun(), "gone", streaks.gone(), "longer", streaks.longer(), "shorter",
                streaks.shorter(), "otherDays", streaks.moved());
        json.writeName("leaderboards");
        json.writeStartObject();
        totals.entries().forEach((key, moves) -> {
            json.writeName(key.text());
            numbers("entered", moves.entered(), "left", moves.left(), "otherValue", moves.otherValue(),
                    "onlyOtherRank", moves.onlyRank());
        });
        json.writeEndObject();
        json.writeName("metrics");
        json.writeStartObject();
        totals.metrics().forEach((key, sums) -> {
            json.writeName(key.text());
            json.writeStartObject();
            number("before", sums.before());
            number("after", sums.after());
            json.writeNumberProperty("users", sums.users());
            json.writeEndObject();
        });
        json.writeEndObject();
        json.writeEndObject();
    }

    private void levels(ComparisonTotals totals) {
        json.writeName("levels");
        json.writeStartArray();
        totals.levelMoves().forEach(move -> {
            json.writeStartObject();
            json.writeStringProperty("pointsSystem", move.system().text());
            text("before", move.from());
            text("after", move.to());
            json.writeNumberProperty("users", move.users());
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    /** Writes an object of alternating names and numbers. */
    private void numbers(Object... namesAndNumbers) {
        json.writeStartObject();
        for (int i = 0; i < namesAndNumbers.length; i += 2) {
            json.writeNumberProperty((String) namesAndNumbers[i], (long) namesAndNumbers[i + 1]);
        }
        json.writeEndObject();
    }

    private void strings(String name, Iterable<String> texts) {
        json.writeName(name);
        json.writeStartArray();
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    private void number(String name, BigDecimal number) {
        if (number == null) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, number);
        }
    }

    private void text(String name, String text) {
        if (text == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, text);
        }
    }

    @Override
    public void close() {
        json.close();
    }
}
