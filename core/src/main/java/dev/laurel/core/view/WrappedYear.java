package dev.laurel.core.view;

import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.CountedDays;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.EventSummaries.PeriodNumbers;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ActivityBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ByValueBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.DayBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.LongestStreakBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MonthBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.PeriodBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.PointsBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.WeekBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.YearBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A user's year in review (docs/application-api.md §4 "wrapped"), by the user's calendar. Weeks are cut to the year: the
 * first begins on 1 January, the last ends on 31 December. Periods show the metrics with events and the points systems with
 * awards. Pure; reads the days of each metric from the first day of the year, or from the first day of events with
 * attributes if that is earlier.
 */
public final class WrappedYear {

    /** The percentiles of users. */
    public interface Percentiles {

        /**
         * @param number of a metric or a points system
         * @param span the year, or a month or a week of it
         * @return empty if unknown
         */
        Optional<Integer> of(int number, Span span, BigDecimal change);

        /** The number of users that percentiles compare with; empty if these are all users, or none were asked for. */
        default Optional<Integer> sample() {
            return Optional.empty();
        }

        /** Knows no percentiles. */
        Percentiles UNKNOWN = (_, _, _) -> Optional.empty();
    }

    private final UserState state;
    private final CompiledRuleset rules;
    private final CalendarYear year;
    private final int today;
    private final Map<Integer, CountedDays> metrics = new HashMap<>();
    private final Map<Integer, CountedDays> points = new HashMap<>();
    private final List<Attribute> attributes;
    private final Activity activity;
    private final LongestStreakBody longestStreak;

    /** @param state at the time of the read; @param today the user's local day; @param year not after that of today */
    public WrappedYear(UserState state, CompiledRuleset rules, UserHistory history, int today, int year) {
        this.state = state;
        this.rules = rules;
        this.today = today;
        this.year = new CalendarYear(year, rules.document().settings().weekStartsOn());
        this.attributes = rules.document().attributes().stream()
                .filter(a -> a.type() == AttributeType.EVENT)
                .toList();
        // Metrics that the ruleset no longer has count as activity, but are not shown.
        for (int i = 0; i < state.metrics().size(); i++) {
            int metric = state.metrics().numberAt(i);
            metrics.put(
                    metric,
                    CountedDays.ofMetric(
                            state, history, metric, firstDayOf(state.metrics().valueAt(i))));
        }
        for (PointsSystem system : rules.document().pointsSystems()) {
            points.put(
                    system.number(),
                    CountedDays.ofPoints(
                            state, history, system.number(), this.year.whole().first()));
        }
        this.activity = new Activity(this.year, metrics.values());
        this.longestStreak = longestStreak(history);
    }

    private int firstDayOf(MetricState metric) {
        int first = year.whole().first();
        return attributes.isEmpty() || metric.attributedFrom() > year.whole().last()
                ? first
                : Math.min(first, metric.attributedFrom());
    }

    private LongestStreakBody longestStreak(UserHistory history) {
        String frequency = IssueList.word(rules.streak().periods().frequency());
        StreakSnapshot.LongestStreak longest = rules.streak().isEnabled()
                ? new StreakSnapshot(state, rules, history, today)
                        .longest(year.whole().first(), year.whole().last())
                : null;
        return longest == null
                ? new LongestStreakBody(0, frequency, null, null, null)
                : new LongestStreakBody(
                        longest.length(),
                        frequency,
                        LocalDate.ofEpochDay(longest.firstDay()),
                        LocalDate.ofEpochDay(longest.lastDay()),
                        LocalDate.ofEpochDay(longest.startedDay()));
    }

    /** The user's local day. */
    public int today() {
        return today;
    }

    public CalendarYear year() {
        return year;
    }

    /**
     * The shown periods, in the order in which {@link #toBody} expects their leaderboards. Without activity only the year.
     */
    public List<Span> spans() {
        return activity.isNone()
                ? List.of(year.whole())
                : List.of(
                        year.whole(),
                        activity.mostActiveDay(),
                        activity.mostActiveWeek(),
                        year.month(activity.mostActiveMonth()));
    }

    /** @param leaderboards the leaderboards of each of the {@link #spans}, by key */
    public WrappedBody toBody(List<Map<String, LeaderboardBody>> leaderboards, Percentiles percentiles) {
        PeriodBody whole = period(year.whole(), leaderboards.getFirst(), percentiles);
        PeriodBody day = PeriodBody.NONE;
        PeriodBody week = PeriodBody.NONE;
        PeriodBody month = PeriodBody.NONE;
        if (!activity.isNone()) {
            day = period(activity.mostActiveDay(), leaderboards.get(1), Percentiles.UNKNOWN);
            week = period(activity.mostActiveWeek(), leaderboards.get(2), percentiles);
            month = period(year.month(activity.mostActiveMonth()), leaderboards.get(3), percentiles);
        }
        Span weekSpan = activity.mostActiveWeek();
        return new WrappedBody(
                Bodies.user(state),
                new ActivityBody(
                        activity.daysActive(),
                        activity.weeksActive(),
                        activity.monthsActive(),
                        new DayBody(
                                LocalDate.ofEpochDay(activity.mostActiveDay().first()), day),
                        new WeekBody(
                                LocalDate.ofEpochDay(weekSpan.first()), LocalDate.ofEpochDay(weekSpan.last()), week),
                        new MonthBody(activity.mostActiveMonth(), month),
                        new YearBody(longestStreak, whole)),
                percentiles.sample());
    }

    private PeriodBody period(Span span, Map<String, LeaderboardBody> leaderboards, Percentiles percentiles) {
        return new PeriodBody(
                metricsIn(span, percentiles), pointsIn(span, percentiles), achievementsIn(span), leaderboards);
    }

    private Map<String, MetricBody> metricsIn(Span span, Percentiles percentiles) {
        var bodies = new LinkedHashMap<String, MetricBody>();
        for (Metric metric : rules.metrics()) {
            CountedDays days = metrics.get(metric.number());
            if (days != null && days.hasAny(span)) {
                PeriodNumbers numbers = PeriodNumbers.of(days, span);
                String units = metric.units() == null || metric.units().isEmpty() ? null : metric.units();
                var values = new AttributeValues(metric.name(), units, days, span);
                bodies.put(
                        metric.key(),
                        new MetricBody(
                                metric.name(),
                                units,
                                numbers.total(),
                                numbers.change(),
                                numbers.percent(),
                                percentiles.of(metric.number(), span, numbers.change()),
                                values.byAttribute(attributes),
                                values.isTruncated() ? Optional.of(true) : Optional.empty()));
            }
        }
        return bodies;
    }

    private Map<String, PointsBody> pointsIn(Span span, Percentiles percentiles) {
        var bodies = new LinkedHashMap<String, PointsBody>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            CountedDays days = points.get(system.number());
            if (days != null && days.hasAny(span)) {
                PeriodNumbers numbers = PeriodNumbers.of(days, span);
                bodies.put(
                        system.key(),
                        new PointsBody(
                                system.name(),
                                system.description(),
                                numbers.total(),
                                numbers.change(),
                                numbers.percent(),
                                percentiles.of(system.number(), span, numbers.change())));
            }
        }
        return bodies;
    }

    /** The achievements completed in a period, by time. */
    private List<AchievementBody> achievementsIn(Span span) {
        var zone = rules.zoneOf(state.profile().tz());
        record Completed(Achievement achievement, long atMs) {}
        var completed = new ArrayList<Completed>();
        for (Achievement achievement : rules.document().achievements()) {
            Long atMs = state.completions().get(achievement.number());
            if (atMs != null && span.contains(LocalDays.dayOf(atMs, zone))) {
                completed.add(new Completed(achievement, atMs));
            }
        }
        completed.sort(Comparator.comparingLong(Completed::atMs));
        return completed.stream()
                .map(one -> AchievementBodies.of(state, one.achievement(), rules))
                .toList();
    }

    /** The activity of a user by the days of a year. Every metric event counts, with any value. */
    static final class Activity {

        private final CalendarYear year;
        private final long[] days;
        private final long[] weeks;
        private final long[] months;

        /** @param metrics all metrics of the user */
        Activity(CalendarYear year, Collection<CountedDays> metrics) {
            Span whole = year.whole();
            this.year = year;
            this.days = new long[whole.last() - whole.first() + 1];
            for (CountedDays metric : metrics) {
                for (Day day : metric.days()) {
                    if (whole.contains(day.day())) {
                        days[day.day() - whole.first()] += day.bucket().events();
                    }
                }
            }
            this.weeks = summed(year::weekOf);
            this.months = summed(year::monthOf);
        }

        /** @param periodOf the number of the period of a day */
        private long[] summed(IntUnaryOperator periodOf) {
            int first = year.whole().first();
            var sums = new long[periodOf.applyAsInt(year.whole().last()) + 1];
            for (int i = 0; i < days.length; i++) {
                sums[periodOf.applyAsInt(first + i)] += days[i];
            }
            return sums;
        }

        boolean isNone() {
            return daysActive() == 0;
        }

        int daysActive() {
            return active(days);
        }

        int weeksActive() {
            return active(weeks);
        }

        int monthsActive() {
            return active(months);
        }

        private static int active(long[] periods) {
            int active = 0;
            for (long events : periods) {
                active += events > 0 ? 1 : 0;
            }
            return active;
        }

        /** The first day of the year if there was no activity. */
        Span mostActiveDay() {
            int day = year.whole().first() + most(days);
            return new Span(day, day);
        }

        /** The first seven days if there was no activity. */
        Span mostActiveWeek() {
            int first = year.whole().first();
            return isNone() ? new Span(first, first + 6) : year.week(most(weeks));
        }

        /** Its number, 0 for January. */
        int mostActiveMonth() {
            return most(months);
        }

        /** The earliest of those with the most events. */
        private static int most(long[] periods) {
            int most = 0;
            for (int i = 1; i < periods.length; i++) {
                if (periods[i] > periods[most]) {
                    most = i;
                }
            }
            return most;
        }
    }

    /**
     * Summarizes a metric over a period by the attribute values of its events. Shows at most {@link AttributeSums#MAX_VALUES}
     * values per attribute, those with the greatest changes.
     */
    private static final class AttributeValues {

        private static final Comparator<Map.Entry<String, PeriodNumbers>> GREATEST_FIRST =
                Comparator.<Map.Entry<String, PeriodNumbers>, BigDecimal>comparing(
                                entry -> entry.getValue().change())
                        .reversed()
                        .thenComparing(Map.Entry::getKey);

        private final String name;
        private final @Nullable String units;
        private final CountedDays days;
        private final Span span;
        private boolean isTruncated;

        /** @param days from the first day with attributes on */
        AttributeValues(String name, @Nullable String units, CountedDays days, Span span) {
            this.name = name;
            this.units = units;
            this.days = days;
            this.span = span;
        }

        /** Whether {@link #byAttribute} lacks values, in the period or in totals. */
        boolean isTruncated() {
            return isTruncated;
        }

        /**
         * @param attributes of events
         * @return by key and value, without attributes and values that no event of the period has
         */
        Map<String, Map<String, ByValueBody>> byAttribute(List<Attribute> attributes) {
            var bodies = new LinkedHashMap<String, Map<String, ByValueBody>>();
            for (Attribute attribute : attributes) {
                Map<String, PeriodNumbers> numbers = numbersOf(attribute.number());
                if (!numbers.isEmpty()) {
                    bodies.put(attribute.key(), shown(numbers));
                }
            }
            return bodies;
        }

        private Map<String, PeriodNumbers> numbersOf(int attribute) {
            var totals = new HashMap<String, BigDecimal>();
            var changes = new HashMap<String, BigDecimal>();
            for (Day day : days.days()) {
                if (day.day() > span.last()) {
                    break;
                }
                isTruncated |= day.bucket().attributes().isTruncated();
                SortedMap<String, BigDecimal> sums =
                        day.bucket().attributes().values().get(attribute);
                if (sums != null) {
                    sums.forEach((value, sum) -> totals.merge(value, sum, BigDecimal::add));
                    if (span.contains(day.day())) {
                        sums.forEach((value, sum) -> changes.merge(value, sum, BigDecimal::add));
                    }
                }
            }
            var numbers = new HashMap<String, PeriodNumbers>();
            changes.forEach((value, change) ->
                    numbers.put(value, new PeriodNumbers(totals.getOrDefault(value, change), change)));
            return numbers;
        }

        private Map<String, ByValueBody> shown(Map<String, PeriodNumbers> numbers) {
            isTruncated |= numbers.size() > AttributeSums.MAX_VALUES;
            var bodies = new LinkedHashMap<String, ByValueBody>();
            numbers.entrySet().stream()
                    .sorted(GREATEST_FIRST)
                    .limit(AttributeSums.MAX_VALUES)
                    .forEach(entry -> {
                        PeriodNumbers of = entry.getValue();
                        bodies.put(entry.getKey(), new ByValueBody(name, units, of.total(), of.change(), of.percent()));
                    });
            return bodies;
        }
    }
}
