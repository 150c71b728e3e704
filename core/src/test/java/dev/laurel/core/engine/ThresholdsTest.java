package dev.laurel.core.engine;

import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.PointsState;
import dev.laurel.schemas.effect.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ThresholdsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String RULES = rules("maxPoints: null",
            "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}");

    private static String rules(String cap, String... triggers) {
        return "metrics: {laps: {}, falls: {}}\npoints:\n  xp:\n    " + cap + "\n    triggers:\n"
                + String.join("", List.of(triggers).stream().map(t -> "      " + t + "\n").toList());
    }

    @Test
    void shouldPayNothingBelowTheFirstThreshold() {
        var user = given(RULES);
        var event = user.event(AT, "laps", "9.999999999");

        assertEquals(0, user.points("xp"));
        assertEquals(List.of(), UserSpecification.resultOf(event).points());
    }

    @Test
    void shouldPayEachCrossingByOneEventInOneAward() {
        var user = given(RULES);
        user.event(AT, "laps", "35");

        assertEquals(9, user.points("xp"));
        assertEquals(1, user.ledger().size());
        assertEquals(9, user.ledger().getFirst().awarded());
    }

    @Test
    void shouldAddTheRemainderToTheNextEvent() {
        var user = given(RULES);
        user.event(AT, "laps", "35");
        user.event(AT, "laps", "5");

        assertEquals(12, user.points("xp"));
    }

    @Test
    void shouldNotPayTwiceWhenTheTotalFallsAndRises() {
        var user = given(RULES);
        user.event(AT, "laps", "35");
        user.event(AT, "laps", "-100");
        user.event(AT, "laps", "100");

        assertEquals(9, user.points("xp"));
        user.event(AT, "laps", "5");
        assertEquals(12, user.points("xp"));
    }

    @Test
    void shouldPayNothingForNegativeTotals() {
        var user = given(RULES);
        user.event(AT, "laps", "-35");
        user.event(AT, "laps", "35");

        assertEquals(0, user.points("xp"));
    }

    @Test
    void shouldNotPayCrossingsBeforeTheTriggerExisted() {
        var user = given("metrics: {laps: {}, falls: {}}");
        user.event(AT, "laps", "35");
        user.rulesBecome(RULES);
        user.event(AT, "laps", "4");
        assertEquals(0, user.points("xp"));

        user.event(AT, "laps", "1");
        assertEquals(3, user.points("xp"));
    }

    @Test
    void shouldStartFromTheTotalEvenIfItFallsFirst() {
        var user = given("metrics: {laps: {}, falls: {}}");
        user.event(AT, "laps", "35");
        user.rulesBecome(RULES);
        user.event(AT, "laps", "-30");
        user.event(AT, "laps", "34");
        assertEquals(0, user.points("xp"));

        user.event(AT, "laps", "1");
        assertEquals(3, user.points("xp"));
    }

    @Test
    void shouldNotPayCrossingsWhileTheTriggerWasRemoved() {
        var user = given(RULES);
        user.event(AT, "laps", "10");
        user.rulesBecome(rules("maxPoints: null"));
        user.event(AT, "laps", "20");
        user.rulesBecome(RULES);
        user.event(AT, "laps", "9");
        assertEquals(3, user.points("xp"));

        user.event(AT, "laps", "1");
        assertEquals(6, user.points("xp"));
    }

    @Test
    void shouldKeepItsCountWhenOnlyThePointsChange() {
        var user = given(RULES);
        user.event(AT, "laps", "35");
        user.rulesBecome(rules("maxPoints: null", "per-ten: {type: metric, metric: laps, threshold: 10, points: 100}"));
        user.event(AT, "laps", "5");

        assertEquals(109, user.points("xp"));
    }

    @Test
    void shouldCountFromTheChangeOfTheThreshold() {
        var user = given(RULES);
        user.event(AT, "laps", "35");
        user.rulesBecome(rules("maxPoints: null", "per-ten: {type: metric, metric: laps, threshold: 2, points: 1}"));
        user.event(AT, "laps", "1");
        user.event(AT, "laps", "1.5");

        assertEquals(9 + 1, user.points("xp"));
    }

    @Test
    void shouldCutAnAwardAtTheCap() {
        var user = given(rules("maxPoints: 10", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}"));
        user.event(AT, "laps", "40");

        assertEquals(10, user.points("xp"));
        assertEquals(10, user.ledger().getFirst().awarded());
    }

    @Test
    void shouldNotRecordAnAwardCutToZero() {
        var user = given(rules("maxPoints: 10", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}"));
        user.event(AT, "laps", "40");
        var atCap = user.event(AT, "laps", "40");

        assertEquals(1, user.ledger().size());
        assertEquals(List.of(), UserSpecification.resultOf(atCap).points());
        assertTrue(atCap.effects().stream().noneMatch(Effect.PointsChanged.class::isInstance));
    }

    @Test
    void shouldNotPayLaterForPointsCutByTheCap() {
        var user = given(rules("maxPoints: 10", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}"));
        user.event(AT, "laps", "80");
        user.rulesBecome(rules("maxPoints: 1000", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}"));
        user.event(AT, "laps", "1");

        assertEquals(10, user.points("xp"));
    }

    @Test
    void shouldLeaveATotalAboveALoweredCap() {
        var user = given(RULES);
        user.event(AT, "laps", "100");
        user.rulesBecome(rules("maxPoints: 10", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}",
                "fall: {type: metric, metric: falls, threshold: 1, points: -4}"));
        user.event(AT, "laps", "10");
        assertEquals(30, user.points("xp"));

        user.event(AT, "falls", "1");
        assertEquals(26, user.points("xp"));
    }

    @Test
    void shouldStopADeductionAtZero() {
        var user = given(rules("maxPoints: null", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}",
                "fall: {type: metric, metric: falls, threshold: 1, points: -5}"));
        user.event(AT, "laps", "10");
        user.event(AT, "falls", "1");

        assertEquals(0, user.points("xp"));
        assertEquals(-3, user.ledger().getLast().awarded());
    }

    @Test
    void shouldNotRecordADeductionFromNothing() {
        var user = given(rules("maxPoints: null", "fall: {type: metric, metric: falls, threshold: 1, points: -5}"));
        user.event(AT, "falls", "3");

        assertEquals(List.of(), user.ledger());
    }

    @Test
    void shouldApplyTriggersInRulesetOrder() {
        var user = given(rules("maxPoints: 10", "down: {type: metric, metric: laps, threshold: 1, points: -4}",
                "up: {type: metric, metric: laps, threshold: 1, points: 100}"));
        var event = user.event(AT, "laps", "1");

        assertEquals(10, user.points("xp"), "the deduction came first, from nothing");
        assertEquals(10, UserSpecification.resultOf(event).points().getFirst().added());
    }

    @Test
    void shouldSaturateInsteadOfOverflowing() {
        var user = given(rules("maxPoints: null",
                "huge: {type: metric, metric: laps, threshold: 1, points: 1000000000}",
                "drain: {type: metric, metric: falls, threshold: 1, points: -1000000000}"));
        user.event(AT, "laps", "1000000000000");
        user.event(AT, "laps", "1000000000000");
        assertEquals(PointsState.MAX_TOTAL, user.points("xp"));

        user.event(AT, "falls", "1000000000000");
        assertEquals(0, user.points("xp"));
    }

    @Test
    void shouldAlwaysHaveATotalThatIsTheSumOfTheLedger() {
        var user = given(rules("maxPoints: 20", "up: {type: metric, metric: laps, threshold: 2, points: 3}",
                "down: {type: metric, metric: falls, threshold: 1, points: -5}"));
        for (int i = 1; i <= 30; i++) {
            user.event(AT, i % 3 == 0 ? "falls" : "laps", "3");
            assertEquals(user.ledger().stream().mapToLong(Award::awarded).sum(), user.points("xp"));
            assertEquals(user.ledger().isEmpty() ? 0 : user.ledger().getLast().total(), user.points("xp"));
        }
    }

    @Test
    void shouldNumberAwardsInProcessingOrderAndDateThemByTheirCommand() {
        var user = given(RULES);
        user.event("2026-03-06T10:00:00Z", "laps", "10");
        user.event("2026-03-04T10:00:00Z", "laps", "10");

        assertEquals(List.of(0, 1), user.ledger().stream().map(Award::sequence).toList());
        assertTrue(user.ledger().get(1).atMs() < user.ledger().get(0).atMs());
    }
}
