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
 * @param events the number of all events
 * @param day the newest local day with an event, as an epoch day
 * @param attributedFrom the oldest local day with an event that had attributes, {@link #NEVER} if there is none
 */
public record MetricState(BigDecimal total, long events, int day, DayBucket bucket, int attributedFrom,
        RecentDays recent) {

    public static final int NEVER = Integer.MAX_VALUE;

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
        return first < day - RecentDays.REACH || recent.eventsFrom(first) > bucket.events();
    }
}
