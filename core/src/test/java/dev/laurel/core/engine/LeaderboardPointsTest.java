package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.older;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values on leaderboards that compare points. Awards count at their time. */
class LeaderboardPointsTest {

    private static final int TOTAL = 900;
    private static final int DAILY = 901;
    private static final UserChange MENTION = UserChange.mention(USER);

    private static String rules(String system, String... triggers) {
        return """
            metrics: {laps: {}, falls: {}}
            streak: {enabled: false}
            points:
              gems: {triggers: {gem: {type: metric, metric: falls, threshold: 1, points: 1}}}
              xp:
                %s
                triggers:
                  lap: {type: metric, metric: laps, threshold: 1, points: 2}
                  fall: {type: metric, metric: falls, threshold: 1, points: -5}
                  %s
            """.formatted(system, String.join("\n      ", triggers));
    }

    private static final String HOURLY = "hourly: {type: time, timeUnit: hours, timeInterval: 1, points: 1}";

    private static UserSpecification of(String rules) {
        return given(
                rules,
                TestLeaderboard.ofPoints(TOTAL, "xp"),
                TestLeaderboard.ofPoints(DAILY, "xp").every(1, RunUnit.DAY));
    }

    @Test
    void shouldCountOnlyAppliedPointsAtTheCapAndAtZero() {
        var user = of(rules("maxPoints: 5"));
        user.event(noon(4), "laps", "2");
        user.event(noon(5), "laps", "2");
        assertEquals("5", user.boardValue(TOTAL));
        assertEquals("1", user.boardValue(DAILY));

        Score full = current(user.event("2026-03-05T13:00:00Z", "laps", "1"), TOTAL);
        assertEquals(Score.Kind.SAME, full.kind());
        assertEquals(ms(noon(5)), full.changedMs());

        Score fallen = current(user.event(noon(6), "falls", "2"), TOTAL);
        assertEquals(BigDecimal.valueOf(5), fallen.before());
        assertEquals(BigDecimal.ZERO, fallen.value());
        assertEquals("-5", user.boardValue(DAILY));
    }

    @Test
    void shouldCountBoostedAwards() {
        var user = of(rules("boosts: {b: {start: '2026-03-05', multiplier: 1.5, rounding: up}}"));
        user.event(noon(4), "laps", "1");
        assertEquals("2", user.boardValue(DAILY));
        user.event(noon(5), "laps", "1");

        assertEquals("3", user.boardValue(DAILY));
        assertEquals("5", user.boardValue(TOTAL));
    }

    @Test
    void shouldGiveSeveralAwardsOfOneEventOneScore() {
        var user = of(rules("maxPoints: null", "bonus: {type: metric, metric: laps, threshold: 2, points: 100}"));
        var event = user.event(noon(4), "laps", "2");

        assertEquals(
                List.of(TOTAL, DAILY),
                event.scores().stream().map(score -> score.rules().number()).toList());
        assertEquals(BigDecimal.valueOf(104), current(event, TOTAL).value());
        assertEquals(BigDecimal.ZERO, current(event, TOTAL).before());
    }

    @Test
    void shouldCountThePointsOfANewUser() {
        var user = of(rules("maxPoints: null", "hello: {type: user_creation, points: 10}"));
        Score score = current(user.identify(noon(4), MENTION), DAILY);

        assertEquals(BigDecimal.TEN, score.value());
        assertEquals(ms(noon(4)), score.changedMs());
    }

    @Test
    void shouldComputeTheSameByTickCommandAndRead() {
        String from = "2026-03-04T21:30:00Z";
        String to = "2026-03-05T01:45:00Z";
        var ticked = of(rules("maxPoints: null", HOURLY));
        ticked.identify(from, MENTION);
        ticked.tick("2026-03-04T22:30:00Z");
        ticked.tick("2026-03-05T00:40:00Z");
        var commanded = of(rules("maxPoints: null", HOURLY));
        commanded.identify(from, MENTION);
        UserState read = commanded.read(to);
        commanded.identify(to, MENTION);
        ticked.tick(to);

        for (int board : new int[] {TOTAL, DAILY}) {
            LeaderboardState expected = commanded.board(board);
            // A read scores nothing, so it has no group yet.
            assertEquals(expected, read.boards().get(board).inGroup(expected.group()));
            assertEquals(expected, ticked.board(board));
        }
        assertEquals("2", commanded.olderRun(DAILY, "2026-03-04"));
        assertEquals("2", ticked.olderRun(DAILY, "2026-03-04"));
        assertEquals(ms("2026-03-05T01:30:00Z"), commanded.board(TOTAL).changedMs());
    }

    @Test
    void shouldReturnOnlyChangedScoresAfterATick() {
        var user = given(
                rules("maxPoints: null", HOURLY),
                TestLeaderboard.ofPoints(TOTAL, "xp"),
                TestLeaderboard.ofPoints(DAILY, "xp").every(1, RunUnit.DAY),
                TestLeaderboard.ofMetric(902, "laps"));
        user.event("2026-03-04T23:00:00Z", "laps", "1");
        var woken = user.woken("2026-03-05T00:00:00Z");

        assertEquals(
                List.of(TOTAL, DAILY),
                woken.scores().stream().map(score -> score.rules().number()).toList());
        Score run = woken.scores().get(1);
        assertEquals(UserSpecification.day("2026-03-05"), run.run());
        assertTrue(run.isCurrent(), "for this user it is 5 March");
        assertEquals(BigDecimal.ONE, run.value());
        assertEquals(List.of(), user.woken("2026-03-05T00:59:59Z").scores());
    }

    @Test
    void shouldMoveWithTheUserWhatATickHasBegun() {
        var user = given(
                "attributes: {user: {city: {}}}\n" + rules("maxPoints: null", HOURLY),
                TestLeaderboard.ofPoints(DAILY, "xp").every(1, RunUnit.DAY).by("city"));
        user.identify("2026-03-04T22:50:00Z", UserSpecification.having("city", "Turku"));
        user.tick("2026-03-05T00:50:00Z");
        Score moved = current(user.identify("2026-03-04T23:10:00Z", UserSpecification.having("city", "Oulu")), DAILY);

        assertEquals(UserSpecification.day("2026-03-05"), moved.run());
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
    }

    @Test
    void shouldPutALateAwardIntoTheRunOfItsDateUnlessThatIsFinal() {
        var user = of(rules("maxPoints: null"));
        user.event(noon(5), "laps", "1");
        Score then = older(user.event(noon(4), "laps", "2"), DAILY);
        assertEquals(BigDecimal.valueOf(4), then.value());
        assertEquals("4", user.olderRun(DAILY, "2026-03-04"));

        user.clockAt("2026-03-05T12:00:00Z");
        assertNull(older(user.event(noon(4), "laps", "2"), DAILY));
        assertEquals("4", user.olderRun(DAILY, "2026-03-04"));
        assertEquals("10", user.boardValue(TOTAL));
    }

    @Test
    void shouldCountAwardsInTheTimeOfDay() {
        var user = given(
                rules("maxPoints: null", HOURLY),
                TestLeaderboard.ofPoints(TOTAL, "xp").between("06:00", "08:00"));
        user.identify("2026-03-04T00:30:00Z", MENTION);
        user.tick(noon(4));

        assertEquals("2", user.boardValue(TOTAL), "06:30 and 07:30");
    }
}
