package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Achievements and points for ranks in final runs. */
class FinalRankTest {

    private static final int BOARD = 900;
    private static final int OTHER = 901;
    private static final String RULES = """
        metrics: {laps: {}}
        streak: {enabled: false}
        leaderboards: {board-900: {rankBy: metric, metric: laps}, board-901: {rankBy: metric, metric: laps}}
        achievements:
          winner: {trigger: leaderboard, leaderboard: board-900, rankTo: 1}
          middle: {trigger: leaderboard, leaderboard: board-900, rankFrom: 2, rankTo: 3}
          other: {trigger: leaderboard, leaderboard: board-901, rankTo: 9}
          closed: {trigger: leaderboard, leaderboard: board-900, rankTo: 9, status: locked}
        points:
          xp:
            triggers:
              three: {type: leaderboard, leaderboard: board-900, rankTo: 3, points: 30}
              won: {type: achievement, achievement: winner, points: 100}
              off: {type: leaderboard, leaderboard: board-900, rankTo: 9, points: 7, status: inactive}
        """;

    private final UserSpecification user = user();

    private static UserSpecification user() {
        var user = given(RULES, TestLeaderboard.ofMetric(BOARD, "laps"), TestLeaderboard.ofMetric(OTHER, "laps"));
        user.event(noon(2), "laps", "1");
        return user;
    }

    private static RunFinished finished(int board, int run, int rank) {
        return new RunFinished(UserChange.mention(USER), board, run, rank, 10);
    }

    @ParameterizedTest
    @CsvSource({"1, [winner], 130", "2, [middle], 30", "3, [middle], 30", "4, [], 0"})
    void shouldRewardTheRanksOfTheRules(int rank, String completed, long points) {
        Outcome.Applied applied = user.applied(noon(3), finished(BOARD, 5, rank));

        assertEquals(
                completed,
                applied.completed().stream().map(Achievement::key).toList().toString());
        assertEquals(points, user.points("xp"));
    }

    @Test
    void shouldRewardARunOnceAndEachRun() {
        user.applied(noon(3), finished(BOARD, 5, 1));
        assertInstanceOf(Outcome.Repeated.class, user.apply(noon(3), finished(BOARD, 5, 2)));
        assertEquals(130, user.points("xp"));

        user.applied(noon(4), finished(BOARD, 6, 1));
        // Not even an older run that is repeated after a newer one has an effect.
        assertInstanceOf(Outcome.Repeated.class, user.apply(noon(9), finished(BOARD, 5, 1)));
        assertEquals(160, user.points("xp"));

        Outcome.Applied late = user.applied(noon(2), finished(BOARD, 4, 2));
        assertEquals(
                List.of("middle"),
                late.completed().stream().map(Achievement::key).toList());
    }

    @Test
    void shouldTellLeaderboardsApart() {
        user.applied(noon(3), finished(BOARD, 5, 1));
        Outcome.Applied applied = user.applied(noon(3), finished(OTHER, 5, 9));

        assertEquals(
                List.of("other"),
                applied.completed().stream().map(Achievement::key).toList());
    }

    @Test
    void shouldHaveTheTimeOfTheCommand() {
        Outcome.Applied applied = user.applied(noon(3), finished(BOARD, 5, 1));

        assertTrue(
                applied.effects().stream()
                        .allMatch(effect -> effect.at().toString().startsWith("2026-03-03T12:00:00")),
                applied.effects()::toString);
        assertEquals(2, applied.effects().size());
        assertInstanceOf(Effect.AchievementCompleted.class, applied.effects().getFirst());
    }

    @Test
    void shouldCreateNobody() {
        Refusal refusal = given(RULES).refused(noon(3), finished(BOARD, 5, 1));

        assertEquals(Refusal.userDoesNotExist(), refusal);
    }

    @Test
    void shouldIgnoreALeaderboardThatTheRulesDoNotHave() {
        assertEquals(List.of(), user.applied(noon(3), finished(7, 5, 1)).effects());
    }

    @Test
    void shouldKnowTheLastRewardedRankOfALeaderboardOfAnyStatus() {
        assertEquals(3, user.rules().runRewards(BOARD).lastRank());
        assertEquals(9, user.rules().runRewards(OTHER).lastRank());
        assertEquals(0, user.rules().runRewards(7).lastRank());
        assertEquals(
                3,
                given(RULES, TestLeaderboard.ofMetric(BOARD, "laps").being(LeaderboardStatus.FINISHED))
                        .rules()
                        .runRewards(BOARD)
                        .lastRank());
    }
}
