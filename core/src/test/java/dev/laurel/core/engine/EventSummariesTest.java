package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.day;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.view.EventSummaries;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.wire.EventBody.EventSummaryBody;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventSummariesTest {

    private static final Periods DAILY = new Periods(StreakFrequency.DAILY, DayOfWeek.SUNDAY);
    private static final Periods WEEKLY = new Periods(StreakFrequency.WEEKLY, DayOfWeek.SUNDAY);
    private static final Periods MONTHLY = new Periods(StreakFrequency.MONTHLY, DayOfWeek.SUNDAY);
    private static final String RULES = """
        metrics: {laps: {}, falls: {}}
        points:
          xp:
            triggers:
              lap: {type: metric, metric: laps, threshold: 1, points: 2}
              fall: {type: metric, metric: falls, threshold: 1, points: -5}
        """;

    /** 2.5 laps on Sunday, 1 March, 1 on the 3rd, a late one on the 2nd, 4 on the 9th, a decrease on the 10th. */
    private static UserSpecification swimmer() {
        var user = given(RULES);
        user.event("2026-03-01T10:00:00Z", "laps", "2.5");
        user.event("2026-03-03T10:00:00Z", "laps", "1");
        user.event("2026-03-02T10:00:00Z", "laps", "0.5");
        user.event("2026-03-02T11:00:00Z", "laps", "1");
        user.event("2026-03-09T10:00:00Z", "laps", "4");
        user.event("2026-03-10T10:00:00Z", "falls", "1");
        return user;
    }

    private static List<String> metric(UserSpecification user, Periods periods, String first, String last) {
        return texts(EventSummaries.ofMetric(
                user.state(),
                user.memory(),
                user.rules().metric("laps").metric().number(),
                periods,
                day(first),
                day(last)));
    }

    private static List<String> points(UserSpecification user, Periods periods, String first, String last) {
        return texts(EventSummaries.ofPoints(
                user.state(), user.memory(), user.rules().pointsSystem("xp").number(), periods, day(first), day(last)));
    }

    private static List<String> texts(List<EventSummaryBody> bodies) {
        return bodies.stream()
                .map(b -> b.date() + " " + b.total().toPlainString() + " "
                        + b.change().toPlainString())
                .toList();
    }

    @Test
    void shouldShowZerosWithoutEvents() {
        var user = given(RULES);
        user.event("2026-03-01T10:00:00Z", "falls", "1");

        assertEquals(List.of("2026-03-01 0 0"), metric(user, DAILY, "2026-03-01", "2026-03-01"));
        assertEquals(List.of("2026-03-01 0 0"), points(user, MONTHLY, "2026-03-01", "2026-03-31"));
    }

    @Test
    void shouldShowTheTotalInARangeBeforeOrAfterAllEvents() {
        assertEquals(List.of("2026-01-01 0 0"), points(swimmer(), MONTHLY, "2026-01-01", "2026-01-31"));
        assertEquals(List.of("2027-01-01 13 0"), points(swimmer(), MONTHLY, "2027-01-01", "2027-01-31"));
    }

    @Test
    void shouldAddUpToThePointsOfTheLedger() {
        var user = swimmer();
        var all = EventSummaries.ofPoints(
                user.state(),
                user.memory(),
                user.rules().pointsSystem("xp").number(),
                DAILY,
                day("2026-02-01"),
                day("2026-04-01"));

        assertEquals(
                BigDecimal.valueOf(user.points("xp")),
                all.stream().map(EventSummaryBody::change).reduce(BigDecimal.ZERO, BigDecimal::add));
        assertEquals(BigDecimal.valueOf(user.points("xp")), all.getLast().total());
    }
}
