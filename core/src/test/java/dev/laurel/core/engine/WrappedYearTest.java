package dev.laurel.core.engine;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.WrappedYear.Percentiles;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ActivityBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.ByValueBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.DayBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.LongestStreakBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.MonthBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.PointsBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody.WeekBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        return new WrappedYear(now, user.rules(), user.memory(),
                Bodies.today(now, user.rules(), UserSpecification.ms(NOW)), year);
    }

    private static ActivityBody activity(UserSpecification user, int year, Percentiles percentiles) {
        WrappedYear wrapped = year(user, year);
        return wrapped.toBody(Collections.nCopies(wrapped.spans().size(), Map.of()), percentiles).activity();
    }

    private ActivityBody activity(int year) {
        return activity(user, year, Percentiles.UNKNOWN);
    }

    private static MetricBody laps(String total, String change, String percent) {
        return new MetricBody("Laps swum", "laps", new BigDecimal(total), new BigDecimal(change),
                new BigDecimal(percent), Optional.empty(), Map.of(), Optional.empty());
    }

    private static PointsBody gems(String total, String change, String percent) {
        return new PointsBody("Gems", null, new BigDecimal(total), new BigDecimal(change), new BigDecimal(percent),
                Optional.empty());
    }

    private static ByValueBody value(String total, String change, String percent) {
        return new ByValueBody("Laps swum", "laps", new BigDecimal(total), new BigDecimal(change),
                new BigDecimal(percent));
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
        List<AchievementBody> both = shown.entireYear().achievements();

        assertEquals(List.of(1, 1, 1), List.of(shown.daysActive(), shown.weeksActive(), shown.monthsActive()));
        Map<String, MetricBody> metrics = Map.of("laps", laps("30", "30", "100"));
        Map<String, PointsBody> points = Map.of("gems", gems("60", "60", "100"));
        assertEquals(new DayBody(date("2025-05-06"), metrics, points, both, Map.of()), shown.mostActiveDay());
        assertEquals(new WeekBody(date("2025-05-04"), date("2025-05-10"), metrics, points, both, Map.of()),
                shown.mostActiveWeek());
        assertEquals(new MonthBody(4, metrics, points, both, Map.of()), shown.mostActiveMonth());
        assertEquals(metrics, shown.entireYear().metrics());
        assertEquals(points, shown.entireYear().points());
        assertEquals(daily(1, "2025-05-06", "2025-05-06"), shown.entireYear().longestStreak());
        assertEquals(List.of("Ten", "Five"), names(both));
    }

    @Test
    void shouldShowAYearWithoutActivity() {
        user.event("2025-05-06T09:00:00Z", "laps", "30");
        ActivityBody shown = activity(2024);

        assertEquals(List.of(0, 0, 0), List.of(shown.daysActive(), shown.weeksActive(), shown.monthsActive()));
        assertEquals(new DayBody(date("2024-01-01"), Map.of(), Map.of(), List.of(), Map.of()), shown.mostActiveDay());
        assertEquals(new WeekBody(date("2024-01-01"), date("2024-01-07"), Map.of(), Map.of(), List.of(), Map.of()),
                shown.mostActiveWeek());
        assertEquals(new MonthBody(0, Map.of(), Map.of(), List.of(), Map.of()), shown.mostActiveMonth());
        assertEquals(new LongestStreakBody(0, "daily", null, null, null), shown.entireYear().longestStreak());
        assertEquals(Map.of(), shown.entireYear().metrics());
        assertEquals(List.of(year(user, 2024).year().whole()), year(user, 2024).spans());
        assertEquals(0, activity(1).daysActive(), "the first year there is");
    }

    @Test
    void shouldChooseTheEarliestDayWithTheMostEvents() {
        user.event("2025-02-03T09:00:00Z", "laps", "100");
        user.event("2025-02-04T09:00:00Z", "laps", "0");
        user.event("2025-02-04T10:00:00Z", "falls", "-1");
        user.event("2025-02-05T10:00:00Z", "laps", "5");
        user.event("2025-02-05T10:00:00Z", "laps", "5");
        user.event("2025-03-05T10:00:00Z", "laps", "5");
        ActivityBody shown = activity(2025);

        assertEquals(List.of(4, 2, 2), List.of(shown.daysActive(), shown.weeksActive(), shown.monthsActive()));
        assertEquals(date("2025-02-04"), shown.mostActiveDay().date());
        assertEquals(laps("100", "0", "0"), shown.mostActiveDay().metrics().get("laps"));
        assertEquals(Map.of(), shown.mostActiveDay().points(), "there was no award");
        assertEquals(1, shown.mostActiveMonth().month());
    }

    @Test
    void shouldShowTotalsAsOfTheEndOfEachPeriod() {
        user.event("2024-12-31T09:00:00Z", "laps", "8");
        user.event("2025-01-01T09:00:00Z", "laps", "1.5");
        user.event("2025-01-01T10:00:00Z", "laps", "0.5");
        user.event("2025-12-31T09:00:00Z", "laps", "2");
        user.event("2026-01-01T09:00:00Z", "laps", "1");
        ActivityBody shown = activity(2025);

        assertEquals(laps("10", "2", "25"), shown.mostActiveDay().metrics().get("laps"));
        assertEquals(laps("12", "4", "50"), shown.entireYear().metrics().get("laps"));
        assertEquals(laps("13", "1", "8.3"), activity(2026).entireYear().metrics().get("laps"));
        assertEquals(gems("26", "2", "8.3"), activity(2026).entireYear().points().get("gems"));
        assertEquals(List.of("Ten"), names(shown.entireYear().achievements()));
    }

    @Test
    void shouldCompareWithTotalsOfZeroAndBelow() {
        user.event("2024-12-31T09:00:00Z", "laps", "-4");
        user.event("2025-02-01T09:00:00Z", "laps", "1");
        user.event("2026-02-01T09:00:00Z", "laps", "3");
        user.event("2026-02-02T09:00:00Z", "laps", "-2");

        assertEquals(laps("-4", "-4", "0"), activity(2024).entireYear().metrics().get("laps"));
        assertEquals(laps("-3", "1", "25"), activity(2025).entireYear().metrics().get("laps"));
        assertEquals(laps("-2", "1", "33.3"), activity(2026).entireYear().metrics().get("laps"));
        assertEquals(laps("0", "3", "100"), activity(2026).mostActiveDay().metrics().get("laps"));
    }

    @Test
    void shouldCutTheWeeksAtTheEndsOfTheYear() {
        // Wednesday and Thursday of one week
        user.event("2025-12-31T09:00:00Z", "laps", "1");
        user.event("2026-01-01T09:00:00Z", "laps", "1");

        WeekBody last = activity(2025).mostActiveWeek();
        WeekBody first = activity(2026).mostActiveWeek();

        assertEquals(List.of(date("2025-12-28"), date("2025-12-31")), List.of(last.start(), last.end()));
        assertEquals(laps("1", "1", "100"), last.metrics().get("laps"));
        assertEquals(List.of(date("2026-01-01"), date("2026-01-03")), List.of(first.start(), first.end()));
        assertEquals(laps("2", "1", "100"), first.metrics().get("laps"));
    }

    @Test
    void shouldStartWeeksWhereTheSettingsSay() {
        var mondays = given(RULES + "settings: {weekStartsOn: monday}\n");
        for (String day : List.of("2025-05-04", "2025-05-05", "2025-05-06")) {
            mondays.event(day + "T09:00:00Z", "laps", "1");
        }
        ActivityBody shown = activity(mondays, 2025, Percentiles.UNKNOWN);

        assertEquals(2, shown.weeksActive());
        assertEquals(date("2025-05-05"), shown.mostActiveWeek().start());
    }

    @Test
    void shouldCountByTheUsersCalendar() {
        user.eventIn("Asia/Tokyo", "2024-12-31T16:00:00Z", "laps", "10");

        assertEquals(date("2025-01-01"), activity(2025).mostActiveDay().date());
        assertEquals(2, activity(2025).mostActiveDay().achievements().size());
        assertEquals(0, activity(2024).daysActive());
    }

    @Test
    void shouldAddUpByTheAttributesOfEvents() {
        swim("2024-12-30T09:00:00Z", "6", Map.of("city", "Turku"));
        swim("2024-12-31T09:00:00Z", "1", Map.of("city", "Oulu"));
        user.event("2025-05-05T09:00:00Z", "laps", "9");
        swim("2025-05-06T09:00:00Z", "2", Map.of("city", "Turku", "style", "crawl"));
        swim("2025-05-06T10:00:00Z", "0.5", Map.of("city", "Turku"));
        swim("2025-06-01T10:00:00Z", "0.5", Map.of("style", "back"));
        swim("2026-01-01T10:00:00Z", "7", Map.of("city", "Turku"));
        ActivityBody shown = activity(2025);

        assertEquals(
                Map.of("city", Map.of("Turku", value("8.5", "2.5", "41.7")), "style",
                        Map.of("crawl", value("2", "2", "100"))),
                shown.mostActiveDay().metrics().get("laps").byAttribute());
        assertEquals(
                Map.of("city", Map.of("Turku", value("8.5", "2.5", "41.7")), "style",
                        Map.of("crawl", value("2", "2", "100"), "back", value("0.5", "0.5", "100"))),
                shown.entireYear().metrics().get("laps").byAttribute());
        assertEquals(Map.of("city", Map.of("Turku", value("6", "6", "100"), "Oulu", value("1", "1", "100"))),
                activity(2024).entireYear().metrics().get("laps").byAttribute());
    }

    @Test
    void shouldShowTheGreatestOfManyValues() {
        for (int month = 1; month <= 2; month++) {
            for (int i = 0; i < AttributeSums.MAX_VALUES; i++) {
                swim("2025-0" + month + "-01T09:00:00Z", "" + (month * 1000 - i),
                        Map.of("city", "c" + month + "-" + i));
            }
        }
        MetricBody laps = activity(2025).entireYear().metrics().get("laps");
        Map<String, ByValueBody> cities = laps.byAttribute().get("city");

        assertEquals(AttributeSums.MAX_VALUES, cities.size());
        assertTrue(cities.keySet().stream().allMatch(city -> city.startsWith("c2-")));
        assertEquals(Optional.of(true), laps.byAttributeTruncated());
        assertEquals(Optional.empty(),
                activity(2025).mostActiveDay().metrics().get("laps").byAttributeTruncated(), "a day without too many");
    }

    @Test
    void shouldMarkPeriodsThatLackValues() {
        swim("2025-05-05T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2025-05-06T09:00:00Z", "1", Map.of("city", "x".repeat(3_000)));
        swim("2025-05-06T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2026-01-01T09:00:00Z", "1", Map.of("city", "Turku"));
        swim("2024-01-01T09:00:00Z", "1", Map.of("city", "Turku"));

        MetricBody year = activity(2025).entireYear().metrics().get("laps");
        assertEquals(Map.of("city", Map.of("Turku", value("3", "2", "200"))), year.byAttribute());
        assertEquals(Optional.of(true), year.byAttributeTruncated());
        assertEquals(Optional.of(true), activity(2026).entireYear().metrics().get("laps").byAttributeTruncated(),
                "totals lack the value");
        assertEquals(Optional.empty(), activity(2024).entireYear().metrics().get("laps").byAttributeTruncated());
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
        List<Map<String, LeaderboardBody>> none = Collections.nCopies(wrapped.spans().size(), Map.of());

        assertEquals(Optional.of(512), wrapped.toBody(none, percentiles).percentileSample());
        assertEquals(Optional.empty(), wrapped.toBody(none, Percentiles.UNKNOWN).percentileSample());
    }

    @Test
    void shouldCountRemovedMetricsAsActivityOnly() {
        user.event("2025-05-06T09:00:00Z", "falls", "1");
        user.rulesBecome("metrics: {laps: {name: Laps swum, units: laps}}");
        user.event("2025-05-07T09:00:00Z", "laps", "1");
        ActivityBody shown = activity(2025);

        assertEquals(2, shown.daysActive());
        assertEquals(Map.of("laps", laps("1", "1", "100")), shown.entireYear().metrics());
    }

    @Test
    void shouldAskForPercentilesOfAllPeriodsButDays() {
        user.event("2025-05-06T09:00:00Z", "laps", "30");
        int gems = user.rules().pointsSystem("gems").number();
        ActivityBody shown = activity(user, 2025, (number, span, change) -> Optional
                .of(number == gems ? change.intValue() : span.last() - span.first() + 1));

        assertEquals(Optional.empty(), shown.mostActiveDay().metrics().get("laps").percentileThisPeriod());
        assertEquals(Optional.of(7), shown.mostActiveWeek().metrics().get("laps").percentileThisPeriod());
        assertEquals(Optional.of(31), shown.mostActiveMonth().metrics().get("laps").percentileThisPeriod());
        assertEquals(Optional.of(365), shown.entireYear().metrics().get("laps").percentileThisPeriod());
        assertEquals(Optional.of(60), shown.mostActiveWeek().points().get("gems").percentileThisPeriod());
        assertEquals(Optional.empty(), shown.mostActiveDay().points().get("gems").percentileThisPeriod());
    }

    @Test
    void shouldFindTheLongestStreakOfTheYear() {
        for (String day : List.of("2024-12-30", "2024-12-31", "2025-01-01", "2025-02-01", "2025-02-02", "2025-02-03",
                "2025-02-04", "2025-06-01", "2025-06-02", "2025-06-03", "2025-06-04", "2026-03-03", "2026-03-04")) {
            user.event(day + "T09:00:00Z", "laps", "1");
        }

        assertEquals(daily(2, "2024-12-30", "2024-12-31"), activity(2024).entireYear().longestStreak());
        assertEquals(daily(4, "2025-02-01", "2025-02-04"), activity(2025).entireYear().longestStreak());
        assertEquals(daily(2, "2026-03-03", "2026-03-04"), activity(2026).entireYear().longestStreak());
    }

    @Test
    void shouldShowAStreakFromBeforeTheYearFromItsBeginning() {
        for (String day : List.of("2024-12-30", "2024-12-31", "2025-01-01", "2025-01-02")) {
            user.event(day + "T09:00:00Z", "laps", "1");
        }

        assertEquals(daily(4, "2024-12-30", "2025-01-02"), activity(2025).entireYear().longestStreak());
    }

    @Test
    void shouldShowTheWeeksOfAWeeklyStreak() {
        var weekly = given(RULES + "streak: {frequency: weekly}\n");
        weekly.event("2025-05-06T09:00:00Z", "laps", "1");
        weekly.event("2025-05-11T09:00:00Z", "laps", "1");

        assertEquals(new LongestStreakBody(2, "weekly", date("2025-05-04"), date("2025-05-17"), date("2025-05-06")),
                activity(weekly, 2025, Percentiles.UNKNOWN).entireYear().longestStreak());
    }

    @Test
    void shouldShowNoStreakWhileStreaksAreOff() {
        user.event("2025-05-06T09:00:00Z", "laps", "1");
        user.rulesBecome(RULES + "streak: {enabled: false}\n");

        assertEquals(0, activity(2025).entireYear().longestStreak().length());
    }
}
