package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users' values when leaderboards are added, removed and changed. */
class LeaderboardRulesetsTest {

    private static final String RULES = "metrics: {laps: {}}\nstreak: {enabled: false}";
    private static final int B = 900;

    private static TestLeaderboard board() {
        return TestLeaderboard.ofMetric(B, "laps");
    }

    private static UserSpecification withThreeLaps() {
        var user = given(RULES, board().between("00:00", "23:00"));
        user.event(noon(4), "laps", "3");
        return user;
    }

    @Test
    void shouldDropValuesOfARemovedLeaderboard() {
        var user = withThreeLaps();
        user.rulesBecome("2026-03-05T00:00:00Z", RULES);

        assertEquals(0, user.read(noon(5)).boards().size());
        assertEquals(List.of(), user.event(noon(5), "laps", "1").scores());
        assertEquals(0, user.state().boards().size());
    }

    @Test
    void shouldStartAtZeroUnderAnotherNumber() {
        var user = withThreeLaps();
        user.rulesBecome(
                "2026-03-05T00:00:00Z",
                RULES,
                TestLeaderboard.ofMetric(901, "laps").between("00:00", "23:00"));
        user.event(noon(5), "laps", "1");

        assertNull(user.board(B));
        assertEquals("1", user.boardValue(901));
    }

    @Test
    void shouldCountNothingOnceFinishedAndDropTheValue() {
        var user = withThreeLaps();
        user.rulesBecome("2026-03-05T00:00:00Z", RULES, board().being(LeaderboardStatus.FINISHED));

        assertEquals(List.of(), user.event(noon(5), "laps", "10").scores());
        assertEquals(0, user.state().boards().size());
    }

    @Test
    void shouldKeepValuesWhenNeitherValueNorRunsChange() {
        var user = withThreeLaps();
        user.rulesBecome(
                "2026-03-05T00:00:00Z",
                RULES,
                board().between("00:00", "23:00").to("2026-03-20"),
                TestLeaderboard.ofMetric(901, "laps"));

        var event = user.event(noon(5), "laps", "1");
        assertEquals(BigDecimal.valueOf(4), current(event, B).value());
        assertEquals(BigDecimal.valueOf(4), current(event, 901).value());
        assertEquals(
                List.of(B, 901),
                event.scores().stream().map(score -> score.rules().number()).toList());
    }

    @Test
    void shouldRankUsersOfTheControlGroupLikeOthers() {
        var user = given(RULES + "\nsettings: {controlRatio: 100}", board());
        var event = user.event(noon(4), "laps", "3");

        assertEquals(true, user.state().control());
        assertEquals(BigDecimal.valueOf(3), current(event, B).value());
    }
}
