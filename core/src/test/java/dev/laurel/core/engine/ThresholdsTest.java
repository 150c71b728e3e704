package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.PointsState.Award;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThresholdsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String RULES =
            rules("maxPoints: null", "per-ten: {type: metric, metric: laps, threshold: 10, points: 3}");

    private static String rules(String cap, String... triggers) {
        return "metrics: {laps: {}, falls: {}}\npoints:\n  xp:\n    " + cap + "\n    triggers:\n"
                + String.join(
                        "",
                        List.of(triggers).stream().map(t -> "      " + t + "\n").toList());
    }

    @Test
    void shouldAlwaysHaveATotalThatIsTheSumOfTheLedger() {
        var user = given(rules(
                "maxPoints: 20",
                "up: {type: metric, metric: laps, threshold: 2, points: 3}",
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
