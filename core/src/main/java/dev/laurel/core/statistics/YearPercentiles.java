package dev.laurel.core.statistics;

import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the users of a sample in a year, its months and its weeks, each by the user's own calendar. Users are
 * included as they were last written, without timers that became due since.
 *
 * <p>A percentile is the percentage of users whose change in the period is at most the user's, the user included, rounded
 * half up to a whole number. Users without changes count with 0. The percentile is exact if the sample contains all users.
 *
 * <p>Filled by one thread, then read by any thread.
 */
public final class YearPercentiles {

    private static final int YEAR = 0;
    private static final int FIRST_MONTH = 1;
    private static final int FIRST_WEEK = FIRST_MONTH + CalendarYear.MONTHS;

    private static final int PERIODS = FIRST_WEEK + CalendarYear.MAX_WEEKS;

    private final CalendarYear year;
    private final int capacity;
    private final boolean hasAllUsers;

    /** The index of each user in the columns. */
    private final Map<UserId, Integer> indexes = new HashMap<>();

    /** The changes by the number of the metric or points system, then by period, then by user. Null: no user has a change. */
    private final Map<Integer, double[] @Nullable []> columns = new HashMap<>();

    private int weight = 1;

    /**
     * @param capacity the maximum number of users
     * @param hasAllUsers whether the sample contains all users
     */
    public YearPercentiles(CalendarYear year, int capacity, boolean hasAllUsers) {
        this.year = year;
        this.capacity = capacity;
        this.hasAllUsers = hasAllUsers;
    }

    /** The number of users in the sample; empty if it contains all users. */
    public Optional<Integer> size() {
        return hasAllUsers ? Optional.empty() : Optional.of(capacity);
    }

    /** The changes of one user in a year. @param changes without periods of no change */
    public record YearOfUser(UserId user, List<Change> changes) {}

    /**
     * @param number of the metric or points system
     * @param period 0 is the year, 1 to 12 are its months, weeks follow
     */
    public record Change(int number, int period, double change) {}

    public static YearOfUser sum(UserState state, UserHistory history, CalendarYear year) {
        int first = year.whole().first();
        int last = year.whole().last();
        var changes = new ArrayList<Change>();
        IntKeyedMap<MetricState> metrics = state.metrics();
        for (int i = 0; i < metrics.size(); i++) {
            int metric = metrics.numberAt(i);
            sum(changes, metric, metrics.valueAt(i).days(metric, history, first, last), year);
        }
        IntKeyedMap<PointsState> points = state.points();
        for (int i = 0; i < points.size(); i++) {
            int system = points.numberAt(i);
            sum(changes, system, points.valueAt(i).days(system, history, first, last), year);
        }
        return new YearOfUser(state.id(), changes);
    }

    /** Adds up exactly. Rounding the sums afterwards keeps their order. */
    private static void sum(List<Change> changes, int number, List<Day> days, CalendarYear year) {
        @Nullable BigDecimal[] sums = new BigDecimal[PERIODS];
        for (Day day : days) {
            add(sums, YEAR, day);
            add(sums, FIRST_MONTH + year.monthOf(day.day()), day);
            add(sums, FIRST_WEEK + year.weekOf(day.day()), day);
        }
        for (int period = 0; period < PERIODS; period++) {
            BigDecimal sum = sums[period];
            if (sum != null) {
                changes.add(new Change(number, period, sum.doubleValue()));
            }
        }
    }

    /** Adds a user of the sample. */
    public void add(YearOfUser user) {
        int index = indexes.size();
        indexes.put(user.user(), index);
        weight++;
        for (Change change : user.changes()) {
            column(change.number(), change.period())[index] = change.change();
        }
    }

    private static void add(@Nullable BigDecimal[] sums, int period, Day day) {
        BigDecimal change = day.bucket().change();
        BigDecimal sum = sums[period];
        sums[period] = sum == null ? change : sum.add(change);
    }

    private double[] column(int number, int period) {
        double[] @Nullable [] ofNumber = columns.computeIfAbsent(number, _ -> new double[PERIODS][]);
        double[] column = ofNumber[period];
        if (column == null) {
            column = new double[capacity];
            ofNumber[period] = column;
            weight += capacity;
        }
        return column;
    }

    /** The number of values and users, as a measure of memory. */
    public int weight() {
        return weight;
    }

    /**
     * @param number of the metric or points system
     * @param span the year, or a month or a week of it
     * @param change the change of the user
     */
    public int percentile(UserId user, int number, Span span, BigDecimal change) {
        double[] @Nullable [] ofNumber = columns.get(number);
        double[] changes = ofNumber == null ? null : ofNumber[periodOf(span)];
        double own = change.doubleValue();
        Integer ownIndex = indexes.get(user);
        int others = ownIndex == null ? indexes.size() : indexes.size() - 1;
        int atMost = 0;
        for (int i = 0; i < indexes.size(); i++) {
            boolean isOther = ownIndex == null || i != ownIndex;
            if (isOther && (changes == null ? 0 : changes[i]) <= own) {
                atMost++;
            }
        }
        return BigDecimal.valueOf(100L * (atMost + 1))
                .divide(BigDecimal.valueOf(others + 1), 0, RoundingMode.HALF_UP)
                .intValue();
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
