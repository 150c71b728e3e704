package dev.laurel.core.engine;

import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.PointsState;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.having;
import static org.junit.jupiter.api.Assertions.assertEquals;

class BoostsTest {

    private static final String AT = "2026-03-04T10:00:00Z";

    private static String rules(int points, String... boosts) {
        return """
                metrics: {laps: {}, falls: {}}
                attributes: {user: {city: {}}}
                points:
                  xp:
                    triggers:
                      lap: {type: metric, metric: laps, threshold: 1, points: %d}
                      fall: {type: metric, metric: falls, threshold: 1, points: -3}
                    boosts: {%s}
                """.formatted(points, String.join(", ", boosts));
    }

    private static String boost(String key, String rest) {
        return key + ": {start: '2026-03-01', " + rest + "}";
    }

    private static long pointsOf(String rules) {
        var user = given(rules);
        user.event(AT, "laps", "1");
        return user.points("xp");
    }

    @Test
    void shouldMultiplyByAllActiveBoostsAndRoundOnce() {
        // 7 × 1.5 × 1.5 = 15.75; rounding after each boost would give 15
        assertEquals(15, pointsOf(rules(7, boost("a", "multiplier: 1.5"), boost("b", "multiplier: 1.5"))));
        assertEquals(16, pointsOf(rules(7, boost("a", "multiplier: 1.5, rounding: up"),
                boost("b", "multiplier: 1.5, rounding: up"))));
        // 10 × 0.3 × 0.7 × 5 = 10.5, exactly
        assertEquals(11, pointsOf(rules(10, boost("a", "multiplier: 0.3"), boost("b", "multiplier: 0.7"),
                boost("c", "multiplier: 5, rounding: nearest"))));
    }

    @Test
    void shouldRoundByEachMode() {
        assertEquals(4, pointsOf(rules(3, boost("a", "multiplier: 1.5"))));
        assertEquals(5, pointsOf(rules(3, boost("a", "multiplier: 1.5, rounding: up"))));
        assertEquals(5, pointsOf(rules(3, boost("a", "multiplier: 1.5, rounding: nearest"))));
        assertEquals(4, pointsOf(rules(3, boost("a", "multiplier: 1.49, rounding: nearest"))));
    }

    @Test
    void shouldUseTheLaterRoundingOfBoostsCreatedTogether() {
        assertEquals(5, pointsOf(rules(3, boost("a", "multiplier: 1.5, rounding: down"),
                boost("b", "multiplier: 1.1, rounding: up"))));
        assertEquals(4, pointsOf(rules(3, boost("a", "multiplier: 1.1, rounding: up"),
                boost("b", "multiplier: 1.5, rounding: down"))));
    }

    @Test
    void shouldUseTheRoundingOfTheNewestBoostInAnyOrder() {
        var user = given(rules(3, boost("old", "multiplier: 1.5, rounding: down")));
        user.rulesBecome("2026-03-02T00:00:00Z",
                rules(3, boost("new", "multiplier: 1.1, rounding: up"), boost("old", "multiplier: 1.5")));
        user.event(AT, "laps", "1");

        assertEquals(5, user.points("xp"));
        assertEquals(List.of(numberOf(user, "old"), numberOf(user, "new")),
                user.ledger().getFirst().boosts(), "in the order of creation");
    }

    private static AppliedBoost numberOf(UserSpecification user, String key) {
        return new AppliedBoost.OfRuleset(user.rules().pointsSystem("xp").boosts().stream()
                .filter(b -> b.key().equals(key)).findFirst().orElseThrow().number());
    }

    @Test
    void shouldBeActiveFromTheStartToTheEndOfTheUsersOwnDays() {
        String rules = rules(10, "a: {start: '2026-03-04', end: '2026-03-05', multiplier: 2}");
        var user = given(rules);
        user.moveTo("Pacific/Auckland", "2026-03-01T00:00:00Z"); // UTC+13
        user.event("2026-03-03T10:59:59.999Z", "laps", "1");
        user.event("2026-03-03T11:00:00Z", "laps", "1");
        user.event("2026-03-05T10:59:59.999Z", "laps", "1");
        user.event("2026-03-05T11:00:00Z", "laps", "1");

        assertEquals(List.of(10L, 20L, 20L, 10L), user.ledger().stream().map(Award::awarded).toList());
    }

    @Test
    void shouldBoostALateEventByItsOwnDay() {
        var user = given(rules(10, "a: {start: '2026-03-04', end: '2026-03-04', multiplier: 2}"));
        user.event("2026-03-09T10:00:00Z", "laps", "1");
        user.event(AT, "laps", "1");

        assertEquals(List.of(10L, 20L), user.ledger().stream().map(Award::awarded).toList());
    }

    @Test
    void shouldBoostOnlyThoseWhomAllFiltersMatch() {
        var user = given(rules(10, boost("a", "multiplier: 2, userAttributes: {city: Turku}")));
        user.event(AT, "laps", "1");
        user.identify(AT, having("city", "Turku"));
        user.event(AT, "laps", "1");

        assertEquals(List.of(10L, 20L), user.ledger().stream().map(Award::awarded).toList());
        assertEquals(List.of(), user.ledger().getFirst().boosts());
    }

    @Test
    void shouldNotBoostDeductions() {
        var user = given(rules(10, boost("a", "multiplier: 2")));
        user.event(AT, "laps", "1");
        user.event(AT, "falls", "1");

        assertEquals(17, user.points("xp"));
        assertEquals(List.of(), user.ledger().getLast().boosts());
    }

    @Test
    void shouldRoundAllCrossingsOfAnEventTogether() {
        var user = given(rules(1, boost("a", "multiplier: 1.5")));
        user.event(AT, "laps", "3");

        assertEquals(4, user.points("xp"));
        assertEquals(1, user.ledger().size());
    }

    @Test
    void shouldMakeNoAwardIfTheAmountIsRoundedToZero() {
        var user = given(rules(1, boost("a", "multiplier: 0.5")));
        user.event(AT, "laps", "1");

        assertEquals(List.of(), user.ledger());
    }

    @Test
    void shouldCutTheBoostedAmountAtTheCap() {
        var user = given(rules(10, boost("a", "multiplier: 3")).replace("xp:", "xp:\n    maxPoints: 25"));
        user.event(AT, "laps", "1");

        assertEquals(25, user.points("xp"));
        assertEquals(25, user.ledger().getFirst().awarded());
    }

    @Test
    void shouldSaturateInsteadOfOverflowing() {
        var user = given(rules(1_000_000_000, boost("a", "multiplier: 99.999999999"),
                boost("b", "multiplier: 99.999999999"), boost("c", "multiplier: 99.999999999")));
        user.event(AT, "laps", "1000000000000");

        assertEquals(PointsState.MAX_TOTAL, user.points("xp"));
    }
}
