package dev.laurel.deploy.tools.stats;

import dev.laurel.core.analytics.Segment;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A report of analytics as text: per series a title, a chart of each column if wanted, and a table.
 *
 * @param report an answer of the server
 */
record StatsText(JsonNode report) {

    /** What a series may be about. */
    private static final List<String> OBJECTS =
            List.of("metric", "achievement", "system", "leaderboard", "run", "template", "webhook");

    /** The column whose entries are numbered ranges, shown in one row. */
    private static final String HISTOGRAM = "histogram";

    /** The days of a retention curve that a table shows. */
    private static final int[] CURVE_DAYS = {1, 7, 14, 30, 60, 90};

    private static final String BARS = "▁▂▃▄▅▆▇█";

    /** Longer series are shown by the averages of neighbours. */
    private static final int MAX_BARS = 60;

    String text(boolean hasCharts) {
        var text = new StringBuilder();
        for (JsonNode series : report.get("series")) {
            text.append(text.isEmpty() ? "" : "\n").append(title(series)).append('\n');
            if (report.has("range")) {
                text.append(places(series));
                continue;
            }
            Map<String, List<JsonNode>> columns = columns(series);
            if (hasCharts && report.get("periods").size() > 1) {
                var charted = new LinkedHashMap<>(columns);
                if (series.has(HISTOGRAM)) {
                    charted.put(HISTOGRAM, series.get(HISTOGRAM).valueStream().toList());
                }
                text.append(charts(charted)).append('\n');
            }
            text.append(table(columns));
            text.append(singles(series));
        }
        return text.toString();
    }

    /** Whether it distinguishes a series; everything else in it is a column. */
    private static boolean isLabel(String name) {
        return name.equals("segment") || OBJECTS.contains(name);
    }

    private String title(JsonNode series) {
        var title = new ArrayList<String>();
        title.add(report.get("report").asString());
        if (report.path("range").asString("").equals("30d")) {
            title.add("last 30 days");
        }
        for (String label : OBJECTS) {
            if (series.has(label)) {
                title.add(label + " " + series.get(label).asString());
            }
        }
        if (series.has("segment")) {
            series.get("segment")
                    .properties()
                    .forEach(one -> title.add(one.getKey() + " "
                            + (one.getValue().isNull()
                                    ? Segment.NONE
                                    : Segment.nameOf(one.getValue().asString(), Segment.NONE))));
        }
        return Terminal.visible(String.join(", ", title));
    }

    /** A ranking: a row for each user. */
    private static String places(JsonNode series) {
        TextTable table = TextTable.under(" ", "id", "name", " value");
        for (int i = 0; i < series.get("id").size(); i++) {
            table.row(
                    String.valueOf(i + 1),
                    shown(series.get("id").get(i)),
                    shown(series.get("name").get(i)),
                    shown(series.get("value").get(i)));
        }
        return table.text();
    }

    /** The columns with a value for each period; those of lists and maps are divided. */
    private Map<String, List<JsonNode>> columns(JsonNode series) {
        var columns = new LinkedHashMap<String, List<JsonNode>>();
        int periods = report.get("periods").size();
        series.properties().forEach(column -> {
            if (!isLabel(column.getKey())) {
                addColumns(columns, column.getKey(), column.getValue(), periods);
            }
        });
        return columns;
    }

    private static void addColumns(Map<String, List<JsonNode>> columns, String name, JsonNode value, int periods) {
        if (value.isObject()) {
            value.properties().forEach(one -> addColumns(columns, name + "." + one.getKey(), one.getValue(), periods));
        } else if (value.isArray() && value.size() == periods && periods > 0) {
            List<JsonNode> values = value.valueStream().toList();
            if (values.getFirst().isArray()) {
                for (int day : CURVE_DAYS) {
                    columns.put(
                            name + " " + day,
                            values.stream().map(curve -> curve.get(day)).toList());
                }
            } else {
                columns.put(name, values);
            }
        }
    }

    private String table(Map<String, List<JsonNode>> columns) {
        if (columns.isEmpty()) {
            return "";
        }
        TextTable table = TextTable.ofNumbers();
        var header = new ArrayList<String>(List.of(report.get("granularity").asString()));
        header.addAll(columns.keySet());
        table.row(header);
        for (int i = 0; i < report.get("periods").size(); i++) {
            int period = i;
            var row = new ArrayList<String>(List.of(report.get("periods").get(i).asString()));
            columns.values().forEach(values -> row.add(shown(values.get(period))));
            table.row(row);
        }
        return table.text();
    }

    /** The values of a series that belong to no period. */
    private String singles(JsonNode series) {
        TextTable table = TextTable.ofNumbers();
        int periods = report.get("periods").size();
        series.properties().forEach(column -> {
            JsonNode value = column.getValue();
            if (isLabel(column.getKey()) || value.isArray() && periods > 0) {
                return;
            }
            if (column.getKey().equals(HISTOGRAM)) {
                table.row(HISTOGRAM, value.valueStream().map(StatsText::shown).collect(Collectors.joining(" ")));
            } else if (value.isObject()) {
                value.properties().stream()
                        .filter(one -> !one.getValue().isArray())
                        .forEach(one -> table.row(column.getKey() + " " + one.getKey(), shown(one.getValue())));
            } else {
                table.row(column.getKey(), shown(value));
            }
        });
        return table.text();
    }

    private static String shown(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return "-";
        }
        return value.isArray()
                ? value.valueStream().map(StatsText::shown).collect(Collectors.joining(" to "))
                : value.asString();
    }

    private static String charts(Map<String, List<JsonNode>> columns) {
        TextTable table = TextTable.under("", "", " lowest", " highest");
        columns.forEach((name, values) -> {
            DoubleSummaryStatistics known = numbers(values).summaryStatistics();
            if (known.getCount() > 0) {
                table.row(name, bars(values, known.getMax()), number(known.getMin()), number(known.getMax()));
            }
        });
        return table.text();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** A bar per value, from 0 to the highest; a blank where there is none. */
    private static String bars(List<JsonNode> values, double highest) {
        int each = (values.size() + MAX_BARS - 1) / MAX_BARS;
        var bars = new StringBuilder();
        for (int from = 0; from < values.size(); from += each) {
            OptionalDouble mean = numbers(values.subList(from, Math.min(values.size(), from + each)))
                    .average();
            bars.append(mean.isEmpty() ? ' ' : BARS.charAt(heightOf(mean.getAsDouble(), highest)));
        }
        return bars.toString();
    }

    private static DoubleStream numbers(List<JsonNode> values) {
        return values.stream().filter(JsonNode::isNumber).mapToDouble(JsonNode::doubleValue);
    }

    private static int heightOf(double value, double highest) {
        return highest <= 0 ? 0 : Math.clamp(Math.round(value / highest * (BARS.length() - 1)), 0, BARS.length() - 1);
    }
}
