package dev.laurel.core.statistics;

import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The value of one user by which a ranking compares users, from the user alone. */
public final class UserValue {

    /** The length of the window of recent days. */
    private static final int WINDOW_DAYS = 30;

    /** By what users are ranked. The names are a wire format between nodes, the order is durable data. */
    public enum Ranking {
        /** The number of all events. No object. */
        EVENTS,
        /** The total of a metric. */
        VALUE,
        /** The total of a points system. */
        POINTS,
        /** The number of events in the last 30 days. No object. */
        RECENT_EVENTS,
        /** What the values of a metric add up to in the last 30 days. */
        RECENT_VALUE;

        /** Whether it depends on the user's local date. */
        public boolean isRecent() {
            return this == RECENT_EVENTS || this == RECENT_VALUE;
        }

        /**
         * The epochs of which users may have a value on a date: 0 if it does not depend on the date.
         *
         * @param today a date in UTC, from which the local dates of users differ by a day at most
         */
        public int firstEpoch(int today) {
            return isRecent() ? RecentDays.blockOf(firstDay(today - 1)) : 0;
        }

        /** The last of these epochs. */
        public int lastEpoch(int today) {
            return isRecent() ? RecentDays.blockOf(today + 1) : 0;
        }
    }

    /**
     * What a user has at most from now on without another event.
     *
     * @param epoch the block of days of the newest event; 0 if the ranking does not depend on the date
     * @param most not less than the {@link #of value} on that day and on any later one, and equal to it without dates
     */
    public record Bound(int epoch, BigDecimal most) {}

    private UserValue() {}

    /** Null if the ranking does not list the user. @param user null: does not exist */
    public static @Nullable Bound boundOf(Ranking ranking, int object, @Nullable UserState user) {
        if (user == null) {
            return null;
        }
        return switch (ranking) {
            case EVENTS ->
                user.metrics().size() == 0
                        ? null
                        : new Bound(0, BigDecimal.valueOf(MetricState.eventsOf(user.metrics())));
            case VALUE -> {
                MetricState metric = user.metrics().get(object);
                yield metric == null ? null : new Bound(0, metric.total());
            }
            case POINTS -> {
                PointsState points = user.points().get(object);
                yield points == null ? null : new Bound(0, BigDecimal.valueOf(points.total()));
            }
            case RECENT_EVENTS -> {
                IntKeyedMap<MetricState> metrics = user.metrics();
                int newest = Integer.MIN_VALUE;
                for (int i = 0; i < metrics.size(); i++) {
                    newest = Math.max(newest, metrics.valueAt(i).day());
                }
                int first = RecentDays.firstDayBefore(newest);
                long events = 0;
                for (int i = 0; i < metrics.size(); i++) {
                    events += metrics.valueAt(i).recent().eventsFrom(first);
                }
                yield metrics.size() == 0 ? null : new Bound(RecentDays.blockOf(newest), BigDecimal.valueOf(events));
            }
            case RECENT_VALUE -> {
                MetricState metric = user.metrics().get(object);
                yield metric == null
                        ? null
                        : new Bound(
                                RecentDays.blockOf(metric.day()),
                                metric.recent().valueFrom(RecentDays.firstDayBefore(metric.day())));
            }
        };
    }

    /**
     * The value on a local date of the user; null if the ranking does not list the user.
     *
     * @param object the number of a metric or a points system; 0 for a ranking without
     * @param history of the user, read for recent days
     */
    public static @Nullable BigDecimal of(Ranking ranking, int object, UserState user, UserHistory history, int today) {
        return switch (ranking) {
            case EVENTS, VALUE, POINTS -> {
                Bound bound = boundOf(ranking, object, user);
                yield bound == null ? null : bound.most();
            }
            case RECENT_EVENTS -> {
                BigDecimal sum = null;
                for (int i = 0; i < user.metrics().size(); i++) {
                    sum = plusDays(
                            sum, user.metrics().valueAt(i), user.metrics().numberAt(i), history, today, true);
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
    private static @Nullable BigDecimal plusDays(
            @Nullable BigDecimal sum,
            MetricState metric,
            int number,
            UserHistory history,
            int today,
            boolean areEvents) {
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
    private static BigDecimal changeOn(Day day, boolean areEvents) {
        return areEvents
                ? BigDecimal.valueOf(day.bucket().events())
                : day.bucket().change();
    }

    /** The first day of the window of recent days. */
    private static int firstDay(int lastDay) {
        return lastDay - WINDOW_DAYS + 1;
    }

    /** Not less than the {@link #of value}, without a read of the history; null: unknown. Arguments as there. */
    public static @Nullable BigDecimal atMost(Ranking ranking, int object, UserState user, int today) {
        return switch (ranking) {
            case EVENTS, VALUE, POINTS -> {
                Bound bound = boundOf(ranking, object, user);
                yield bound == null ? BigDecimal.ZERO : bound.most();
            }
            case RECENT_EVENTS -> mostEvents(user, firstDay(today));
            case RECENT_VALUE -> {
                MetricState metric = user.metrics().get(object);
                int first = firstDay(today);
                yield metric == null
                        ? BigDecimal.ZERO
                        : isCovered(metric, first) ? metric.recent().valueFrom(first) : null;
            }
        };
    }

    /** Not less than the number of events in any window that begins on {@code first} or later; null: unknown. */
    private static @Nullable BigDecimal mostEvents(UserState user, int first) {
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

    /** Whether the recent days of a metric reach back to a day. They do for present windows, unless events are dated days ahead. */
    private static boolean isCovered(MetricState metric, int day) {
        return metric.day() - RecentDays.REACH <= day;
    }

    /** A user and the value by which users are ranked: the highest value first, then the id. */
    public record RankedUser(UserId user, BigDecimal value) implements Comparable<RankedUser> {

        @Override
        public int compareTo(RankedUser other) {
            return compare(value, user, other);
        }

        /** Compares a user with another one, without an object for the former. */
        public static int compare(BigDecimal value, UserId user, RankedUser other) {
            int byValue = other.value.compareTo(value);
            return byValue != 0 ? byValue : user.compareTo(other.user);
        }
    }
}
