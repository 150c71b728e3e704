package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.keyed;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.older;
import static dev.laurel.core.engine.UserSpecification.scores;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values on leaderboards that compare a metric. */
class LeaderboardTotalsTest {

    private static final String RULES = "metrics: {laps: {}, litres: {}}\nstreak: {enabled: false}";
    private static final int B = 900;

    private static TestLeaderboard perpetual() {
        return TestLeaderboard.ofMetric(B, "laps");
    }

    private static TestLeaderboard daily() {
        return perpetual().every(1, RunUnit.DAY);
    }

    @Test
    void shouldNotChangeTheStateWithoutLeaderboards() {
        var user = given(RULES);
        var event = user.event(noon(4), "laps", "3");

        assertSame(IntKeyedMap.empty(), user.state().boards());
        assertEquals(List.of(), event.scores());
        assertEquals(List.of(), event.writes());
    }

    @Test
    void shouldRankByTheWholeTotal() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "laps", "0.5");
        var second = user.event(noon(5), "laps", "0.5");

        assertEquals(new LeaderboardState(Runs.PERPETUAL, BigDecimal.ONE, ms(noon(5))), user.board(B));
        Score score = current(second, B);
        assertEquals(new BigDecimal("0.5"), score.before());
        assertEquals(BigDecimal.ONE, score.value());
        assertEquals(ms(noon(5)), score.changedMs());
        assertEquals(Score.Kind.CHANGED, score.kind());
        assertEquals(List.of(), score.group());
    }

    @Test
    void shouldDateTheValueByItsLastChange() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "laps", "3");
        var same = user.event(noon(6), "laps", "0");
        assertEquals(ms(noon(4)), user.board(B).changedMs());
        assertEquals(Score.Kind.SAME, current(same, B).kind());

        var late = user.event(noon(3), "laps", "1");
        assertEquals(ms(noon(4)), user.board(B).changedMs(), "a late event comes before what was there");
        assertEquals(Score.Kind.CHANGED, current(late, B).kind());
    }

    @Test
    void shouldPutALateEventIntoItsOwnRun() {
        var user = given(RULES, daily());
        user.event(noon(3), "laps", "1");
        user.event(noon(5), "laps", "2");
        var late = user.event("2026-03-03T13:00:00Z", "laps", "4");

        Score then = older(late, B);
        assertEquals(UserSpecification.day("2026-03-03"), then.run());
        assertEquals(BigDecimal.ONE, then.before());
        assertEquals(BigDecimal.valueOf(5), then.value());
        assertEquals(ms("2026-03-03T13:00:00Z"), then.changedMs());
        assertEquals(Score.Kind.SAME, current(late, B).kind());
        assertEquals("5", user.olderRun(B, "2026-03-03"));
        assertEquals("2", user.boardValue(B));
    }

    @Test
    void shouldBeginAnOlderRunWithALateEvent() {
        var user = given(RULES, daily());
        user.event(noon(5), "laps", "2");
        Score then = older(user.event(noon(4), "laps", "4"), B);

        assertEquals(BigDecimal.ZERO, then.before());
        assertEquals("4", user.olderRun(B, "2026-03-04"));
        assertNull(older(user.event(noon(3), "laps", "-4"), B), "nobody sees it");
        assertEquals("-4", user.olderRun(B, "2026-03-03"));
    }

    @Test
    void shouldCountNothingInTheNewestRunOnceItIsFinal() {
        var user = given(RULES, daily());
        user.event(noon(3), "laps", "1");
        user.clockAt("2026-03-04T12:00:00Z");
        var late = user.event("2026-03-03T13:00:00Z", "laps", "4");

        assertEquals("1", user.boardValue(B));
        assertEquals(List.of(), late.scores(), "nothing of it changes any more");
    }

    @Test
    void shouldKeepAnOlderRunOnlyWhileItMayChange() {
        var user = given(RULES, daily());
        user.event(noon(3), "laps", "1");
        user.clockAt("2026-03-04T12:00:00Z");
        var next = user.event(noon(5), "laps", "2");

        assertNull(user.olderRun(B, "2026-03-03"));
        assertEquals(
                0,
                next.writes().stream()
                        .filter(HistoryWrite.PutBoardRun.class::isInstance)
                        .count());
        assertEquals("2", user.boardValue(B));
    }

    @Test
    void shouldJudgeAMonthByItsEnd() {
        var user = given(RULES, perpetual().every(1, RunUnit.MONTH));
        user.event("2026-03-30T12:00:00Z", "laps", "1");
        user.event("2026-04-01T12:00:00Z", "laps", "2");
        user.clockAt("2026-04-01T11:59:59.999Z").event("2026-03-02T12:00:00Z", "laps", "4");
        assertEquals("5", user.olderRun(B, "2026-03-01"));
        user.clockAt("2026-04-01T12:00:00Z").event("2026-03-31T12:00:00Z", "laps", "8");
        assertEquals("5", user.olderRun(B, "2026-03-01"));
    }

    @Test
    void shouldCountALateEventBeforeTheEndUntilTheRunIsFinal() {
        var user = given(RULES, perpetual().to("2026-03-05"));
        user.event(noon(4), "laps", "1");
        user.event(noon(6), "laps", "2");
        Score late = older(user.event(noon(5), "laps", "4"), B);
        assertEquals(Runs.PERPETUAL, late.run());
        assertEquals(BigDecimal.valueOf(7), late.value(), "the whole total, with the next change");

        user.clockAt("2026-03-06T12:00:00Z");
        assertEquals(List.of(), user.event(noon(5), "laps", "8").scores());
        assertEquals("7", user.boardValue(B));
    }

    @Test
    void shouldChangeNothingByARefusedEvent() {
        var user = given("""
            metrics: {laps: {}}
            streak: {enabled: false}
            points: {xp: {triggers: {
              fee: {type: metric, metric: laps, threshold: 10, points: -5, blockIfOutOfPoints: true}}}}
            """, perpetual(), TestLeaderboard.ofPoints(901, "xp"));
        user.event(noon(4), "laps", "3");
        UserState before = user.state();
        user.refused(noon(5), eventOf("laps", "30"));

        assertEquals(before, user.state());
        assertEquals("3", user.boardValue(B));
    }

    @Test
    void shouldReturnScoresWhenAnEventIsRepeated() {
        var user = given(
                RULES,
                perpetual(),
                TestLeaderboard.ofMetric(902, "laps").every(1, RunUnit.DAY),
                TestLeaderboard.ofMetric(901, "litres"));
        user.applied(noon(4), keyed(eventOf("laps", "3"), "k"));
        var repeated = user.apply("2026-03-04T13:00:00Z", keyed(eventOf("laps", "3"), "k"));

        assertInstanceOf(Outcome.Repeated.class, repeated);
        assertEquals(
                List.of(B, 902),
                scores(repeated).stream().map(score -> score.rules().number()).toList());
        for (Score score : scores(repeated)) {
            assertEquals(Score.Kind.SAME, score.kind());
            assertEquals(BigDecimal.valueOf(3), score.value());
            assertEquals(BigDecimal.valueOf(3), score.before());
        }
        var nextDay = user.apply(noon(5), keyed(eventOf("laps", "3"), "k"));
        assertEquals(
                List.of(B),
                scores(nextDay).stream().map(score -> score.rules().number()).toList());
    }
}
