package dev.laurel.processors.core.account;

import dev.laurel.processors.core.rules.CalendarYear;
import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Numbered;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;

/**
 * What the users of a sample came to in a year, in its months and its weeks, each by the user's own calendar. Users are taken
 * as they were last written; what fell due since then is not made up for.
 *
 * <p>A percentile is the percentage of users whose change in the period is at most the user's, the user included, rounded
 * half up to a whole number. All users count, with 0 if nothing happened. It is of the sample together with the user who
 * asks: exact if the sample is everybody.
 *
 * <p>Filled by one thread, then read by any.
 */
public final class SampledYear {

    private static final int YEAR = 0;
    private static final int FIRST_MONTH = 1;
    private static final int FIRST_WEEK = FIRST_MONTH + CalendarYear.MONTHS;

    private final CalendarYear year;

    /** By the number of the metric or points system, the change in each period; absent where there was none. */
    private final Map<UserId, Map<Integer, double[]>> users = new HashMap<>();

    public SampledYear(CalendarYear year) {
        this.year = year;
    }

    /** A user of the sample. */
    public void add(UserState state, UserHistory history) {
        var changes = new HashMap<Integer, double[]>();
        int first = year.whole().first();
        Numbered<MetricState> metrics = state.metrics();
        for (int i = 0; i < metrics.size(); i++) {
            if (metrics.valueAt(i).day() >= first) {
                int metric = metrics.numberAt(i);
                changes.put(metric, changesOf(CountedDays.ofMetric(state, history, metric, first)));
            }
        }
        Numbered<PointsState> points = state.points();
        for (int i = 0; i < points.size(); i++) {
            if (points.valueAt(i).day() >= first) {
                int system = points.numberAt(i);
                changes.put(system, changesOf(CountedDays.ofPoints(state, history, system, first)));
            }
        }
        users.put(state.id(), changes);
    }

    /** How many numbers it holds, and users, who take up room too. */
    public int weight() {
        int weight = 1 + users.size();
        for (Map<Integer, double[]> changes : users.values()) {
            weight += changes.size() * (FIRST_WEEK + CalendarYear.MAX_WEEKS);
        }
        return weight;
    }

    /** Added up exactly; rounding the sums then keeps their order. */
    private double[] changesOf(CountedDays days) {
        var sums = new BigDecimal[FIRST_WEEK + CalendarYear.MAX_WEEKS];
        for (Day day : days.days()) {
            if (day.day() > year.whole().last()) {
                break;
            }
            add(sums, YEAR, day);
            add(sums, FIRST_MONTH + year.monthOf(day.day()), day);
            add(sums, FIRST_WEEK + year.weekOf(day.day()), day);
        }
        var changes = new double[sums.length];
        for (int i = 0; i < sums.length; i++) {
            changes[i] = sums[i] == null ? 0 : sums[i].doubleValue();
        }
        return changes;
    }

    private static void add(BigDecimal[] sums, int period, Day day) {
        BigDecimal change = day.bucket().change();
        sums[period] = sums[period] == null ? change : sums[period].add(change);
    }

    /**
     * @param number of the metric or points system
     * @param span the year, or a month or a week of it
     * @param change the user's
     */
    public int percentile(UserId user, int number, Span span, BigDecimal change) {
        int period = periodOf(span);
        double own = change.doubleValue();
        int all = 1;
        int atMost = 1;
        for (var other : users.entrySet()) {
            if (!other.getKey().equals(user)) {
                double[] changes = other.getValue().get(number);
                all++;
                atMost += (changes == null ? 0 : changes[period]) <= own ? 1 : 0;
            }
        }
        return BigDecimal.valueOf(100L * atMost).divide(BigDecimal.valueOf(all), 0, RoundingMode.HALF_UP).intValue();
    }

    private int periodOf(Span span) {
        if (span.equals(year.whole())) {
            return YEAR;
        }
        int month = year.monthOf(span.first());
        if (span.equals(year.month(month))) {
            return FIRST_MONTH + month;
        }
        int week = year.weekOf(span.first());
        if (span.equals(year.week(week))) {
            return FIRST_WEEK + week;
        }
        throw new IllegalArgumentException("no year, month or week: " + span);
    }
}
