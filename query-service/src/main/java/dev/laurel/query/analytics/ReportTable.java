package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    public record Series(
            Map<String, @Nullable Object> segment,
            @Nullable ObjectLabel object,
            Map<String, @Nullable Object> columns) {}

    /** @param kind such as {@code metric} @param number of the object, which it keeps under another key */
    public record ObjectLabel(String kind, String key, int number) {

        static ObjectLabel of(Metric metric) {
            return new ObjectLabel("metric", metric.key(), metric.number());
        }
    }

    static ReportTable of(Window window, Stream<Columns> series) {
        return new ReportTable(
                window.periods().stream()
                        .map(Period::first)
                        .map(LocalDate::ofEpochDay)
                        .toList(),
                series.map(Columns::series).toList(),
                NO_RANKING);
    }

    /** A ranking. */
    static ReportTable ofPlaces(Columns columns, int places) {
        return new ReportTable(List.of(), List.of(columns.series()), places);
    }

    public boolean isRanking() {
        return places != NO_RANKING;
    }

    /**
     * The columns of one series in the order in which they are added, and the counters that they are made from.
     *
     * @param counters of the ledger or of delivery
     * @param object null: the series concerns no single object
     */
    record Columns(
            ReportInput input,
            AccountCounters counters,
            SegmentGroup group,
            @Nullable ObjectLabel object,
            Map<String, @Nullable Object> values) {

        Columns add(String name, @Nullable Object value) {
            values.put(name, value);
            return this;
        }

        /** Adds the sums of the periods. */
        Columns sums(String name, Counter counter) {
            return add(name, input.sums(numbers(counter)));
        }

        /** The number of the object; 0: none. */
        int number() {
            return object == null ? 0 : object.number;
        }

        /** The counters of the days of the window. */
        long[] numbers(Counter counter) {
            return numbers(counter, number());
        }

        long[] numbers(Counter counter, int number) {
            return counters.numbers(
                    input.tenant(),
                    counter,
                    number,
                    group,
                    input.window().from(),
                    input.window().to());
        }

        /** The counters of the object, or of all together: also of those that the ruleset no longer has. */
        long[] numbersOfAll(Counter counter) {
            var sums = new long[input.window().days()];
            for (int number : objects(counter)) {
                long[] ofObject = numbers(counter, number);
                Arrays.setAll(sums, day -> sums[day] + ofObject[day]);
            }
            return sums;
        }

        /** Works like {@link #numbersOfAll} for decimal counters. */
        BigDecimal[] decimals(Counter counter) {
            var sums = new BigDecimal[input.window().days()];
            Arrays.fill(sums, BigDecimal.ZERO);
            for (int number : objects(counter)) {
                BigDecimal[] ofObject = counters.decimals(
                        input.tenant(),
                        counter,
                        number,
                        group,
                        input.window().from(),
                        input.window().to());
                Arrays.setAll(sums, day -> sums[day].add(ofObject[day]));
            }
            return sums;
        }

        private Collection<Integer> objects(Counter counter) {
            return object == null ? counters.objects(input.tenant(), counter) : List.of(object.number);
        }

        /** The sum of cells, which may be far apart. */
        long sum(Counter counter, int number, int first, int last) {
            return counters.sum(input.tenant(), counter, number, group, first, last);
        }

        /** The users created on the days of the window. */
        long[] created() {
            return numbers(Counter.NEW_USERS, 0);
        }

        long createdUntil(int day) {
            return sum(Counter.NEW_USERS, 0, Integer.MIN_VALUE, day);
        }

        Series series() {
            return new Series(group.label(), object, values);
        }
    }
}
