package dev.laurel.core.engine;

import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.having;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

class IntervalsTest {

    private static final String BORN = "2026-03-01T10:00:00Z";
    private static final String HOURLY = "hourly: {type: time, timeUnit: hours, timeInterval: 1, points: 1}";
    private static final String DAILY = "daily: {type: time, timeUnit: days, timeInterval: 1, points: 5}";
    private static final String DECAY = "decay: {type: time, timeUnit: hours, timeInterval: 2, points: -3}";

    private static String rules(String cap, String boosts, String... triggers) {
        return """
                metrics: {laps: {}, falls: {}}
                attributes: {user: {plan: {}}}
                streak: {enabled: false}
                points:
                  xp:
                    maxPoints: %s
                    boosts: {%s}
                    triggers:
                      lap: {type: metric, metric: laps, threshold: 1, points: 1}
                      fall: {type: metric, metric: falls, threshold: 1, points: -1}
                      %s
                """.formatted(cap, boosts, String.join("\n      ", triggers));
    }

    private static UserSpecification born(String rules) {
        var user = given(rules);
        user.identify(BORN, UserChange.mention(USER));
        return user;
    }

    @Test
    void shouldPayEachIntervalAtItsEnd() {
        var user = born(rules("null", "", DAILY));
        assertEquals(List.of(), user.tick("2026-03-02T09:59:59.999Z"));
        var effects = user.tick("2026-03-02T10:00:00Z");

        assertEquals(Instant.parse("2026-03-02T10:00:00Z"), effects.getFirst().at());
        assertEquals(5, user.points("xp"));
        assertEquals(Instant.parse("2026-03-03T10:00:00Z").toEpochMilli(), user.state().wakeUpMs());
    }

    @Test
    void shouldCountFromTheActivationOfTheTriggerIfThatIsLater() {
        var user = born(rules("null", ""));
        user.rulesBecome("2026-03-04T12:00:00Z", rules("null", "", DAILY));
        user.tick("2026-03-05T11:59:59.999Z");
        assertEquals(0, user.points("xp"));

        user.tick("2026-03-05T12:00:00Z");
        assertEquals(5, user.points("xp"));
    }

    @Test
    void shouldCatchUpMissedIntervalsOneByOneWithTheirOwnDates() {
        var user = born(rules("null", "", DAILY));
        var event = user.event("2026-03-04T10:00:00Z", "laps", "1");

        assertEquals(List.of("2026-03-02T10:00:00Z", "2026-03-03T10:00:00Z", "2026-03-04T10:00:00Z",
                "2026-03-04T10:00:00Z"),
                user.ledger().stream().map(a -> Instant.ofEpochMilli(a.atMs()).toString()).toList());
        assertEquals(4, event.effects().stream().filter(Effect.PointsChanged.class::isInstance).count());
        assertEquals(1, UserSpecification.resultOf(event).points().getFirst().added(), "the event's own");
    }

    @Test
    void shouldPayInDueOrderAcrossTriggers() {
        var user = born(rules("null", "", DECAY, HOURLY));
        user.tick("2026-03-01T14:00:00Z");

        // 11:00 +1; 12:00 −3 cut to −1, then +1; 13:00 +1; 14:00 −3 cut to −2, then +1
        assertEquals(List.of(1L, -1L, 1L, 1L, -2L, 1L), user.ledger().stream().map(Award::awarded).toList());
    }

    @Test
    void shouldBoostEachIntervalByItsOwnLocalDay() {
        var user = born(rules("null", "double: {start: '2026-03-03', end: '2026-03-03', multiplier: 2}", DAILY));
        user.tick("2026-03-04T10:00:00Z");

        assertEquals(List.of(5L, 10L, 5L), user.ledger().stream().map(Award::awarded).toList());
    }

    @Test
    void shouldPassIntervalsAtTheCapWithoutAward() {
        var user = born(rules("10", "", DAILY));
        user.tick("2026-03-11T12:00:00Z");
        assertEquals(2, user.ledger().size());

        user.event("2026-03-11T12:00:00Z", "falls", "7");
        assertEquals(3, user.points("xp"), "what was passed at the cap is not paid later");
        user.tick("2026-03-12T10:00:00Z");
        assertEquals(8, user.points("xp"));
    }

    @Test
    void shouldPassIntervalsOfUsersOutsideTheFilter() {
        var user = born(rules("null", "", DAILY.replace("}", ", userAttributes: {plan: pro}}")));
        user.tick("2026-03-11T12:00:00Z");
        user.identify("2026-03-11T12:00:00Z", having("plan", "pro"));
        assertEquals(0, user.points("xp"));

        user.tick("2026-03-12T10:00:00Z");
        assertEquals(5, user.points("xp"));
    }

    @Test
    void shouldContinueToDeductWhileOtherIntervalsPay() {
        var user = born(rules("2", "", HOURLY, DECAY));
        user.tick("2026-03-01T16:00:00Z");

        // 11:00 1; 12:00 2, then 0; 13:00 1; 14:00 2, 0; 15:00 1; 16:00 2, 0
        assertEquals(List.of(1L, 2L, 0L, 1L, 2L, 0L, 1L, 2L, 0L), user.ledger().stream().map(Award::total).toList());
    }

    @Test
    void shouldReachTheSameStateInOneStepAsInMany() {
        for (String cap : List.of("null", "2", "7")) {
            String rules = rules(cap, "double: {start: '2026-03-02', end: '2026-03-04', multiplier: 1.5}", HOURLY,
                    DAILY,
                    DECAY, "pro: {type: time, timeUnit: hours, timeInterval: 3, points: 9, userAttributes: {plan: x}}");
            var atOnce = born(rules);
            var stepwise = born(rules);
            for (Instant at = Instant.parse(BORN); at.isBefore(Instant.parse("2026-03-11T10:00:00Z")); at = at
                    .plusSeconds(1800)) {
                stepwise.tick(at.toString());
            }
            atOnce.tick("2026-03-11T10:00:00Z");
            stepwise.tick("2026-03-11T10:00:00Z");

            assertEquals(stepwise.state(), atOnce.state(), "cap " + cap);
            assertEquals(stepwise.ledger(), atOnce.ledger());
            assertEquals(stepwise.memory().days, atOnce.memory().days);
        }
    }

    @Test
    void shouldReachTheSameStateByReadAndTick() {
        var user = born(rules("20", "", HOURLY, DECAY));
        UserState read = user.read("2026-03-05T10:30:00Z");
        user.tick("2026-03-05T10:30:00Z");

        assertEquals(user.state().points(), read.points());
    }

    @Test
    void shouldCatchUpTwentyYearsOfHoursInReasonableTime() {
        var user = born(rules("null", "", HOURLY));
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> user.event("2046-03-01T10:00:00Z", "laps", "1"));

        long hours = Duration.between(Instant.parse(BORN), Instant.parse("2046-03-01T10:00:00Z")).toHours();
        assertEquals(hours + 1, user.points("xp"));
        assertEquals(hours + 1, user.ledger().size());
    }

    @Test
    void shouldPassTwentyYearsAtTheCapAtOnce() {
        var user = born(rules("10", "", HOURLY));
        long startedNs = System.nanoTime();
        var event = user.event("2046-03-01T10:00:00Z", "laps", "1");

        assertTrue(event.effects().size() <= 10);
        assertTrue(System.nanoTime() - startedNs < 1_000_000_000L, "it went interval by interval");
    }
}
