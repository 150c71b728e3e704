package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    void shouldReachTheSameStateInOneStepAsInMany() {
        for (String cap : List.of("null", "2", "7")) {
            String rules = rules(
                    cap,
                    "double: {start: '2026-03-02', end: '2026-03-04', multiplier: 1.5}",
                    HOURLY,
                    DAILY,
                    DECAY,
                    "pro: {type: time, timeUnit: hours, timeInterval: 3, points: 9, userAttributes: {plan: x}}");
            var atOnce = born(rules);
            var stepwise = born(rules);
            for (Instant at = Instant.parse(BORN);
                    at.isBefore(Instant.parse("2026-03-11T10:00:00Z"));
                    at = at.plusSeconds(1800)) {
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
    void shouldCatchUpTwentyYearsOfHours() {
        var user = born(rules("null", "", HOURLY));
        user.event("2046-03-01T10:00:00Z", "laps", "1");

        long hours = Duration.between(Instant.parse(BORN), Instant.parse("2046-03-01T10:00:00Z"))
                .toHours();
        assertEquals(hours + 1, user.points("xp"));
        assertEquals(hours + 1, user.ledger().size());
    }

    @Test
    void shouldPassTwentyYearsAtTheCapAtOnce() {
        var user = born(rules("10", "", HOURLY));
        long atMs = UserSpecification.ms("2046-03-01T10:00:00Z");
        var woken = UserEngine.wake(
                user.state(),
                user.rules(),
                new CommandContext(UserKey.of("swimmer-77"), atMs, 0, 1, Long.MIN_VALUE),
                user.memory(),
                12);

        assertEquals(10, woken.effects().size());
        assertTrue(woken.state().wakeUpMs() > atMs, "the hours at the cap are one moment");
    }
}
