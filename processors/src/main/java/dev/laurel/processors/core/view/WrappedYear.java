package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CalendarYear;
import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.CountedDays;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.StreakReading;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.WrappedBody;
import dev.laurel.schemas.wire.WrappedBody.ActivityBody;
import dev.laurel.schemas.wire.WrappedBody.DayBody;
import dev.laurel.schemas.wire.WrappedBody.LongestStreakBody;
import dev.laurel.schemas.wire.WrappedBody.MetricBody;
import dev.laurel.schemas.wire.WrappedBody.MonthBody;
import dev.laurel.schemas.wire.WrappedBody.PointsBody;
import dev.laurel.schemas.wire.WrappedBody.WeekBody;
import dev.laurel.schemas.wire.WrappedBody.YearBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user's year in review (application-api.md §4 "wrapped"), by the user's calendar. Weeks are cut to the year: the first
 * begins on 1 January, the last ends on 31 December. A metric or a points system is shown in a period in which it had an
 * event or an award. Pure; reads the days of each metric from the year's first day up to the present, and from the first
 * day on which its events had attributes.
 */
public final class WrappedYear {

    /** How users compare. */
    public interface Percentiles {

        /**
         * @param number of a metric or a points system
         * @param span the year, or a month or a week of it
         * @return empty if it cannot be said
         */
        Optional<Integer> of(int number, Span span, BigDecimal change);

        /** Nothing can be said. */
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

    /** @param state of now; @param today the user's local day; @param year up to that of today */
    public WrappedYear(UserState state, CompiledRuleset rules, UserHistory history, int today, int year) {
        this.state = state;
        this.rules = rules;
        this.today = today;
        this.year = new CalendarYear(year, rules.document().settings().weekStartsOn());
        this.attributes = rules.document().attributes().stream().filter(a -> a.type() == AttributeType.EVENT).toList();
        // Metrics that the ruleset has no more are not shown, but the user was active.
        for (int i = 0; i < state.metrics().size(); i++) {
            int metric = state.metrics().numberAt(i);
            metrics.put(metric, CountedDays.ofMetric(state, history, metric, firstDayOf(state.metrics().valueAt(i))));
        }
        for (PointsSystem system : rules.document().pointsSystems()) {
            points.put(system.number(),
                    CountedDays.ofPoints(state, history, system.number(), this.year.whole().first()));
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
        String frequency = StreakBodies.nameOf(rules.streak().periods().frequency());
        StreakReading.Stretch longest = rules.streak().isEnabled()
                ? new StreakReading(state, rules, history, today).longest(year.whole().first(), year.whole().last())
                : null;
        return longest == null
                ? new LongestStreakBody(0, frequency, null, null, null)
                : new LongestStreakBody(longest.length(), frequency, LocalDate.ofEpochDay(longest.firstDay()),
                        LocalDate.ofEpochDay(longest.lastDay()), LocalDate.ofEpochDay(longest.startedDay()));
    }

    /** The user's local day. */
    public int today() {
        return today;
    }

    public CalendarYear year() {
        return year;
    }

    /** The periods shown, in the order in which {@link #toBody} wants their leaderboards: only the year if it was quiet. */
    public List<Span> spans() {
        return activity.isNone()
                ? List.of(year.whole())
                : List.of(year.whole(), activity.mostActiveDay(), activity.mostActiveWeek(),
                        year.month(activity.mostActiveMonth()));
    }

    /** @param leaderboards of each of the {@link #spans}, by key */
    public WrappedBody toBody(List<Map<String, LeaderboardBody>> leaderboards, Percentiles percentiles) {
        Parts whole = parts(year.whole(), leaderboards.getFirst(), percentiles);
        Parts day = Parts.NONE;
        Parts week = Parts.NONE;
        Parts month = Parts.NONE;
        if (!activity.isNone()) {
            day = parts(activity.mostActiveDay(), leaderboards.get(1), Percentiles.UNKNOWN);
            week = parts(activity.mostActiveWeek(), leaderboards.get(2), percentiles);
            month = parts(year.month(activity.mostActiveMonth()), leaderboards.get(3), percentiles);
        }
        Span weekSpan = activity.mostActiveWeek();
        return new WrappedBody(Bodies.user(state), new ActivityBody(activity.daysActive(), activity.weeksActive(),
                activity.monthsActive(),
                new DayBody(LocalDate.ofEpochDay(activity.mostActiveDay().first()), day.metrics, day.points,
                        day.achievements, day.leaderboards),
                new WeekBody(LocalDate.ofEpochDay(weekSpan.first()), LocalDate.ofEpochDay(weekSpan.last()),
                        week.metrics, week.points, week.achievements, week.leaderboards),
                new MonthBody(activity.mostActiveMonth(), month.metrics, month.points, month.achievements,
                        month.leaderboards),
                new YearBody(longestStreak, whole.metrics, whole.points, whole.achievements, whole.leaderboards)));
    }

    /** What all periods have. */
    private record Parts(Map<String, MetricBody> metrics, Map<String, PointsBody> points,
            List<AchievementBody> achievements, Map<String, LeaderboardBody> leaderboards) {

        static final Parts NONE = new Parts(Map.of(), Map.of(), List.of(), Map.of());
    }

    private Parts parts(Span span, Map<String, LeaderboardBody> leaderboards, Percentiles percentiles) {
        return new Parts(metricsIn(span, percentiles), pointsIn(span, percentiles), achievementsIn(span), leaderboards);
    }

    private Map<String, MetricBody> metricsIn(Span span, Percentiles percentiles) {
        var bodies = new LinkedHashMap<String, MetricBody>();
        for (Metric metric : rules.metrics()) {
            CountedDays days = metrics.get(metric.number());
            if (days != null && days.hasAny(span)) {
                PeriodNumbers numbers = PeriodNumbers.of(days, span);
                bodies.put(metric.key(), new MetricBody(metric.name(),
                        metric.units() == null || metric.units().isEmpty() ? null : metric.units(), numbers.total(),
                        numbers.change(), numbers.percent(), percentiles.of(metric.number(), span, numbers.change()),
                        AttributeValues.of(days, span, attributes)));
            }
        }
        return bodies;
    }

    private Map<String, PointsBody> pointsIn(Span span, Percentiles percentiles) {
        var bodies = new LinkedHashMap<String, PointsBody>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            CountedDays days = points.get(system.number());
            if (days.hasAny(span)) {
                PeriodNumbers numbers = PeriodNumbers.of(days, span);
                bodies.put(system.key(), new PointsBody(system.name(), system.description(), numbers.total(),
                        numbers.change(), numbers.percent(), percentiles.of(system.number(), span, numbers.change())));
            }
        }
        return bodies;
    }

    /** Completed then, by time. */
    private List<AchievementBody> achievementsIn(Span span) {
        var zone = rules.zoneOf(state.profile().tz());
        var completed = new ArrayList<Achievement>();
        for (Achievement achievement : rules.document().achievements()) {
            Long atMs = state.completions().get(achievement.number());
            if (atMs != null && span.contains(LocalDays.dayOf(atMs, zone))) {
                completed.add(achievement);
            }
        }
        completed.sort(Comparator.comparing(achievement -> state.completions().get(achievement.number())));
        return completed.stream().map(achievement -> AchievementBodies.of(state, achievement, rules)).toList();
    }
}
