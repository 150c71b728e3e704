package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.core.view.WrappedYear.Percentiles;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ActivityBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ByValueBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.DayBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.LongestStreakBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MonthBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.PeriodBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.PointsBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.WeekBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WrappedYearTest {

    private static final String RULES = """
        attributes: {event: {city: {}, style: {}}}
        metrics:
          laps: {name: Laps swum, units: laps}
          falls: {}
        points:
          gems:
            name: Gems
            triggers:
              lap: {type: metric, metric: laps, threshold: 1, points: 2}
        achievements:
          ten: {name: Ten, trigger: metric, metric: laps, value: 10}
          five: {name: Five, trigger: metric, metric: laps, value: 5}
        """;
    private static final String NOW = "2026-03-04T12:00:00Z";

    private final UserSpecification user = given(RULES);

    private void swim(String at, String value, Map<String, String> attributes) {
        RecordEvent event = eventOf("laps", value);
        user.applied(at, new RecordEvent(event.user(), "laps", event.value(), attributes, null, null));
    }

    private static WrappedYear year(UserSpecification user, int year) {
        UserState now = user.read(NOW);
        return new WrappedYear(
                now, user.rules(), user.memory(), Bodies.today(now, user.rules(), UserSpecification.ms(NOW)), year);
    }

    private static ActivityBody activity(UserSpecification user, int year, Percentiles percentiles) {
        WrappedYear wrapped = year(user, year);
        return wrapped.toBody(Collections.nCopies(wrapped.spans().size(), Map.of()), percentiles)
                .activity();
    }

    private ActivityBody activity(int year) {
        return activity(user, year, Percentiles.UNKNOWN);
    }

    private static MetricBody laps(String total, String change, String percent) {
        return new MetricBody(
                "Laps swum",
                "laps",
                new BigDecimal(total),
                new BigDecimal(change),
                new BigDecimal(percent),
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    private static PointsBody gems(String total, String change, String percent) {
        return new PointsBody(
                "Gems", null, new BigDecimal(total), new BigDecimal(change), new BigDecimal(percent), Optional.empty());
    }

    private static ByValueBody value(String total, String change, String percent) {
        return new ByValueBody(
                "Laps swum", "laps", new BigDecimal(total), new BigDecimal(change), new BigDecimal(percent));
    }

    private static LongestStreakBody daily(int length, String first, String last) {
        return new LongestStreakBody(length, "daily", date(first), date(last), date(first));
    }

    private static LocalDate date(String date) {
        return LocalDate.parse(date);
    }

    private static List<String> names(List<AchievementBody> achievements) {
        return achievements.stream().map(AchievementBody::name).toList();
    }

    /** Thirty laps on one day, as in the contract's example. */
    @Test
    void shouldShowAYearOfOneDay() {
        user.event("2025-05-06T09:00:00Z", "laps", "30");
        ActivityBody shown = activity(2025);
        List<AchievementBody> both = shown.entireYear().base().achievements();

        assertEquals(List.of(1, 1, 1), List.of(shown.daysActive(), shown.weeksActive(), shown.monthsActive()));
        Map<String, MetricBody> metrics = Map.of("laps", laps("30", "30", "100"));
        Map<String, PointsBody> points = Map.of("gems", gems("60", "60", "100"));
        var period = new PeriodBody(metrics, points, both, Map.of());
        assertEquals(new DayBody(date("2025-05-06"), period), shown.mostActiveDay());
        assertEquals(new WeekBody(date("2025-05-04"), date("2025-05-10"), period), shown.mostActiveWeek());
        assertEquals(new MonthBody(4, period), shown.mostActiveMonth());
        assertEquals(metrics, shown.entireYear().base().metrics());
        assertEquals(points, shown.entireYear().base().points());
        assertEquals(daily(1, "2025-05-06", "2025-05-06"), shown.entireYear().longestStreak());
        assertEquals(List.of("Ten", "Five"), names(both));
    }

    @Test
    void shouldShowAYearWithoutActivity() {
        user.event("2025-05-06T09:00:00Z", "laps", "30");
        ActivityBody shown = activity(2024);

        assertEquals(List.of(0, 0, 0), List.of(shown.daysActive(), shown.weeksActive(), shown.monthsActive()));
        assertEquals(new DayBody(date("2024-01-01"), PeriodBody.NONE), shown.mostActiveDay());
        assertEquals(new WeekBody(date("2024-01-01"), date("2024-01-07"), PeriodBody.NONE), shown.mostActiveWeek());
        assertEquals(new MonthBody(0, PeriodBody.NONE), shown.mostActiveMonth());
        assertEquals(
                new LongestStreakBody(0, "daily", null, null, null),
                shown.entireYear().longestStreak());
        assertEquals(Map.of(), shown.entireYear().base().metrics());
        assertEquals(List.of(year(user, 2024).year().whole()), year(user, 2024).spans());
        assertEquals(0, activity(1).daysActive(), "the first year there is");
    }

    @Test
    void shouldShowTheGreatestOfManyValues() {
        for (int month = 1; month <= 2; month++) {
            for (int i = 0; i < AttributeSums.MAX_VALUES; i++) {
                swim(
                        "2025-0" + month + "-01T09:00:00Z",
                        "" + (month * 1000 - i),
                        Map.of("city", "c" + month + "-" + i));
            }
        }
        MetricBody laps = activity(2025).entireYear().base().metrics().get("laps");
        Map<String, ByValueBody> cities = laps.byAttribute().get("city");

        assertEquals(AttributeSums.MAX_VALUES, cities.size());
        assertTrue(cities.keySet().stream().allMatch(city -> city.startsWith("c2-")));
        assertEquals(Optional.of(true), laps.byAttributeTruncated());
        assertEquals(
                Optional.empty(),
                activity(2025).mostActiveDay().base().metrics().get("laps").byAttributeTruncated(),
                "a day without too many");
    }

    @Test
    void shouldMarkPeriodsThatLackValues() {
        swim("2025-05-05T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2025-05-06T09:00:00Z", "1", Map.of("city", "x".repeat(3_000)));
        swim("2025-05-06T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2026-01-01T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2024-01-01T09:00:00Z", "1", Map.of("city", "Turku"));

        MetricBody year = activity(2025).entireYear().base().metrics().get("laps");
        assertEquals(Map.of("city", Map.of("Turku", value("3", "2", "200"))), year.byAttribute());
        assertEquals(Optional.of(true), year.byAttributeTruncated());
        assertEquals(
                Optional.of(true),
                activity(2026).entireYear().base().metrics().get("laps").byAttributeTruncated(),
                "totals lack the value");
        assertEquals(
                Optional.empty(),
                activity(2024).entireYear().base().metrics().get("laps").byAttributeTruncated());
    }

    @Test
    void shouldShowTheSizeOfASample() {
        var percentiles = new Percentiles() {
            @Override
            public Optional<Integer> of(int number, Span span, BigDecimal change) {
                return Optional.of(1);
            }

            @Override
            public Optional<Integer> sample() {
                return Optional.of(512);
            }
        };

        user.event("2025-05-06T09:00:00Z", "laps", "30");
        WrappedYear wrapped = year(user, 2025);
        List<Map<String, LeaderboardBody>> none =
                Collections.nCopies(wrapped.spans().size(), Map.of());

        assertEquals(Optional.of(512), wrapped.toBody(none, percentiles).percentileSample());
        assertEquals(Optional.empty(), wrapped.toBody(none, Percentiles.UNKNOWN).percentileSample());
    }

    @Test
    void shouldAskForPercentilesOfAllPeriodsButDays() {
        user.event("2025-05-06T09:00:00Z", "laps", "30");
        int gems = user.rules().pointsSystem("gems").number();
        ActivityBody shown = activity(
                user,
                2025,
                (number, span, change) ->
                        Optional.of(number == gems ? change.intValue() : span.last() - span.first() + 1));

        assertEquals(
                Optional.empty(),
                shown.mostActiveDay().base().metrics().get("laps").percentileThisPeriod());
        assertEquals(
                Optional.of(7),
                shown.mostActiveWeek().base().metrics().get("laps").percentileThisPeriod());
        assertEquals(
                Optional.of(31),
                shown.mostActiveMonth().base().metrics().get("laps").percentileThisPeriod());
        assertEquals(
                Optional.of(365),
                shown.entireYear().base().metrics().get("laps").percentileThisPeriod());
        assertEquals(
                Optional.of(60),
                shown.mostActiveWeek().base().points().get("gems").percentileThisPeriod());
        assertEquals(
                Optional.empty(),
                shown.mostActiveDay().base().points().get("gems").percentileThisPeriod());
    }
}
