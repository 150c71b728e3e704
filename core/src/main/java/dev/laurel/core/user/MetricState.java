package dev.laurel.core.user;

import dev.laurel.core.user.UserHistory.Day;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of one metric of one user. It contains the bucket of the newest day, so that most events read and write no other
 * store; the bucket moves to the {@code metric-days} store when a newer day begins.
 *
 * @param total the exact sum of all values
 * @param events the number of all events; {@link #NOT_COUNTED} in a state that an earlier release has written, until it is read
 * @param day the newest local day with an event, as an epoch day
 * @param attributedFrom the oldest local day with an event that had attributes, {@link #NEVER} if there is none
 */
public record MetricState(BigDecimal total, long events, int day, DayBucket bucket, int attributedFrom,
        RecentDays recent) {

    public static final int NEVER = Integer.MAX_VALUE;
    public static final long NOT_COUNTED = -1;

    /** Zero if the metric has no events. @param metric its number */
    public static BigDecimal totalOf(IntKeyedMap<MetricState> metrics, int metric) {
        MetricState counted = metrics.get(metric);
        return counted == null ? BigDecimal.ZERO : counted.total();
    }

    /** The number of events of all metrics. */
    public static long eventsOf(IntKeyedMap<MetricState> metrics) {
        long events = 0;
        for (int i = 0; i < metrics.size(); i++) {
            events += metrics.valueAt(i).events;
        }
        return events;
    }

    /** The days from {@code first} to {@code last} with events, ascending. @param number of the metric */
    public List<Day> days(int number, UserHistory history, int first, int last) {
        var days = new ArrayList<Day>();
        if (mayHaveOtherDaysFrom(first)) {
            days.addAll(history.days(number, first, Math.min(last, day - 1)));
        }
        if (day >= first && day <= last) {
            days.add(new Day(day, bucket));
        }
        return days;
    }

    /** Whether there may be days from {@code first} on with events, besides the newest one. */
    private boolean mayHaveOtherDaysFrom(int first) {
        return events == NOT_COUNTED || first < day - RecentDays.REACH || recent.eventsFrom(first) > bucket.events();
    }

    /** The metrics with events counted from their days, where an earlier release has not counted them. @param history of the user */
    public static IntKeyedMap<MetricState> counted(IntKeyedMap<MetricState> metrics, UserHistory history) {
        IntKeyedMap<MetricState> counted = metrics;
        for (int i = 0; i < metrics.size(); i++) {
            MetricState metric = metrics.valueAt(i);
            if (metric.events == NOT_COUNTED) {
                List<Day> days = metric.days(metrics.numberAt(i), history, Integer.MIN_VALUE, metric.day);
                counted = counted.with(metrics.numberAt(i),
                        new MetricState(metric.total, days.stream().mapToLong(day -> day.bucket().events()).sum(),
                                metric.day, metric.bucket, metric.attributedFrom, RecentDays.of(days)));
            }
        }
        return counted;
    }
}
