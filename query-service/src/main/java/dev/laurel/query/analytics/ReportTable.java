package dev.laurel.query.analytics;

import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.ruleset.Metric;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report in columns.
 *
 * @param periods the first days of the periods
 * @param places the number of users that a ranking lists; {@link #NO_RANKING} if the report is no ranking
 */
public record ReportTable(List<LocalDate> periods, List<Series> series, int places) {

    /** Stands for the number of places in reports that have none. */
    public static final int NO_RANKING = -1;

    /**
     * The figures of one segment, of one object if the report has several.
     *
     * @param segment the value by the name of the division; empty if the report is not divided
     * @param object the kind and the key of the object; null: the series concerns no single object
     * @param columns a list with a value for each period or place, or one value; by name, in order
     */
    public record Series(Map<String, @Nullable Object> segment, @Nullable ObjectLabel object,
            Map<String, @Nullable Object> columns) {}

    /** @param kind such as {@code metric} @param number of the object, which it keeps under another key */
    public record ObjectLabel(String kind, String key, int number) {

        static ObjectLabel of(Metric metric) {
            return new ObjectLabel("metric", metric.key(), metric.number());
        }
    }

    static ReportTable of(Window window, List<Series> series) {
        return new ReportTable(window.periods().stream().map(Period::first).map(LocalDate::ofEpochDay).toList(),
                series, NO_RANKING);
    }

    /** A ranking. */
    static ReportTable ofPlaces(Series series, int places) {
        return new ReportTable(List.of(), List.of(series), places);
    }

    public boolean isRanking() {
        return places != NO_RANKING;
    }

    /** Columns in the order in which they are added. */
    static final class Columns {

        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

        Columns add(String name, @Nullable Object value) {
            values.put(name, value);
            return this;
        }

        Series of(Map<String, @Nullable Object> segment, @Nullable ObjectLabel object) {
            return new Series(segment, object, values);
        }
    }
}
