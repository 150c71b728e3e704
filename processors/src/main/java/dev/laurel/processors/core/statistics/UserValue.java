package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.RecentDays;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The value of one user by which a ranking compares users, from the user alone. */
public final class UserValue {

    private UserValue() {}

    /**
     * The value on a local date of the user; null if the ranking does not list the user.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     * @param history of the user, read for recent days
     */
    public static @Nullable BigDecimal of(Ranking ranking, int object, UserState user, UserHistory history, int today) {
        return switch (ranking) {
            case EVENTS -> user.metrics().size() == 0 ? null : eventsOf(user);
            case VALUE -> {
                MetricState metric = user.metrics().get(object);
                yield metric == null ? null : metric.total();
            }
            case POINTS -> {
                PointsState points = user.points().get(object);
                yield points == null ? null : BigDecimal.valueOf(points.total());
            }
            case RECENT_EVENTS -> {
                BigDecimal sum = null;
                for (int i = 0; i < user.metrics().size(); i++) {
                    sum = plusDays(sum, user.metrics().valueAt(i), user.metrics().numberAt(i), history, today, true);
                }
                yield sum;
            }
            case RECENT_VALUE -> {
                MetricState metric = user.metrics().get(object);
                yield metric == null ? null : plusDays(null, metric, object, history, today, false);
            }
        };
    }

    /** @param number of the metric */
    private static @Nullable BigDecimal plusDays(@Nullable BigDecimal sum, MetricState metric, int number,
            UserHistory history, int today, boolean areEvents) {
        int first = firstDay(today);
        BigDecimal all = sum;
        if (metric.day() >= first) {
            for (Day day : metric.days(number, history, first, today)) {
                BigDecimal change = changeOn(day, areEvents);
                all = all == null ? change : all.add(change);
            }
        }
        return all;
    }

    /** What a day adds to the number of events, or to the sum of the values. */
    static BigDecimal changeOn(Day day, boolean areEvents) {
        return areEvents ? BigDecimal.valueOf(day.bucket().events()) : day.bucket().change();
    }

    /** The first day of the window of recent days. */
    static int firstDay(int lastDay) {
        return lastDay - TopUsers.WINDOW_DAYS + 1;
    }

    /** Not less than the {@link #of value}, without a read of the history; null: unknown. Arguments as there. */
    public static @Nullable BigDecimal atMost(Ranking ranking, int object, UserState user, int today) {
        return switch (ranking) {
            case EVENTS -> eventsOf(user);
            case VALUE -> MetricState.totalOf(user.metrics(), object);
            case POINTS -> BigDecimal.valueOf(PointsState.totalOf(user.points(), object));
            case RECENT_EVENTS -> mostEvents(user, firstDay(today));
            case RECENT_VALUE -> {
                MetricState metric = user.metrics().get(object);
                yield metric == null ? BigDecimal.ZERO : mostValue(metric, firstDay(today));
            }
        };
    }

    static BigDecimal eventsOf(UserState user) {
        return BigDecimal.valueOf(MetricState.eventsOf(user.metrics()));
    }

    /** Not less than the number of events in any window that begins on {@code first} or later; null: unknown. */
    static @Nullable BigDecimal mostEvents(UserState user, int first) {
        long events = 0;
        for (int i = 0; i < user.metrics().size(); i++) {
            MetricState metric = user.metrics().valueAt(i);
            if (!isCovered(metric, first)) {
                return null;
            }
            events += metric.recent().eventsFrom(first);
        }
        return BigDecimal.valueOf(events);
    }

    /** Not less than the sum of any window that begins on {@code first} or later; null: unknown. */
    static @Nullable BigDecimal mostValue(MetricState metric, int first) {
        return isCovered(metric, first) ? metric.recent().valueFrom(first) : null;
    }

    /** Whether the recent days of a metric reach back to a day. They do for present windows, unless events are dated days ahead. */
    private static boolean isCovered(MetricState metric, int day) {
        return metric.day() - RecentDays.REACH <= day;
    }
}
