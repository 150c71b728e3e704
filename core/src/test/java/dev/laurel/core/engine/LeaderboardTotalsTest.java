package dev.laurel.core.engine;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    void shouldCompareItsOwnMetric() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "litres", "3");

        assertEquals(0, user.state().boards().size());
    }

    @Test
    void shouldRankByTheWholeTotal() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "laps", "0.5");
        var second = user.event(noon(5), "laps", "0.5");

        assertEquals(new LeaderboardState(Runs.PERPETUAL, BigDecimal.ONE, ms(noon(5)), 1), user.board(B));
        Score score = current(second, B);
        assertEquals(new BigDecimal("0.5"), score.before());
        assertEquals(BigDecimal.ONE, score.value());
        assertEquals(ms(noon(5)), score.changedMs());
        assertEquals(0, score.formerOffset());
        assertEquals(Score.Kind.CHANGED, score.kind());
        assertEquals(List.of(), score.group());
    }

    @Test
    void shouldEnterAnEarlierTotalWithItsNextChange() {
        var user = given(RULES);
        user.event(noon(4), "laps", "7");
        user.rulesBecome(noon(5), RULES, perpetual());
        var other = user.event(noon(6), "litres", "1");
        assertEquals(List.of(), other.scores());
        assertNull(user.board(B));
        var nothing = user.event(noon(6), "laps", "0");
        assertEquals(List.of(), nothing.scores());

        Score score = current(user.event(noon(7), "laps", "1"), B);
        assertEquals(BigDecimal.ZERO, score.before());
        assertEquals(BigDecimal.valueOf(8), score.value());
        assertEquals(-1, score.formerOffset());
    }

    @Test
    void shouldDateTheValueByItsLastChange() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "laps", "3");
        var same = user.event(noon(6), "laps", "0");
        assertEquals(ms(noon(4)), user.board(B).changedMs());
        assertEquals(Score.Kind.SAME, current(same, B).kind());
        assertEquals(0, current(same, B).formerOffset());

        var late = user.event(noon(3), "laps", "1");
        assertEquals(ms(noon(4)), user.board(B).changedMs(), "a late event comes before what was there");
        assertEquals(Score.Kind.CHANGED, current(late, B).kind());
        assertEquals(2, user.board(B).changedOffset());
    }

    @Test
    void shouldScoreADropToZeroAndBelowOnce() {
        var user = given(RULES, perpetual());
        user.event(noon(4), "laps", "3");
        Score dropped = current(user.event(noon(4), "laps", "-3"), B);
        assertEquals(BigDecimal.valueOf(3), dropped.before());
        assertEquals(BigDecimal.ZERO, dropped.value());

        assertNull(current(user.event(noon(4), "laps", "-2.5"), B));
        assertEquals("-2.5", user.boardValue(B));
        Score back = current(user.event(noon(4), "laps", "4"), B);
        assertEquals(new BigDecimal("-2.5"), back.before());
        assertEquals(new BigDecimal("1.5"), back.value());
    }

    @Test
    void shouldSumExactlyWhatHappensInTheTimeOfDaySinceTheStart() {
        var user = given(RULES);
        user.event(noon(4), "laps", "100");
        user.rulesBecome(noon(5), RULES, perpetual().from("2026-03-06").between("06:00", "09:30"));
        user.event("2026-03-05T07:00:00Z", "laps", "64");
        user.event("2026-03-06T05:59:59.999Z", "laps", "32");
        user.event("2026-03-06T06:00:00Z", "laps", "0.1");
        user.event("2026-03-06T09:29:59.999Z", "laps", "0.2");
        assertEquals("0.3", user.boardValue(B));
        var tooLate = user.event("2026-03-06T09:30:00Z", "laps", "16");

        assertEquals("0.3", user.boardValue(B));
        assertEquals(Score.Kind.SAME, current(tooLate, B).kind());
        user.event("2026-03-07T06:30:00Z", "laps", "0.7");
        assertEquals(BigDecimal.ONE, user.board(B).value());
    }

    @Test
    void shouldAcceptATimeOfDayWithOneEnd() {
        var morning = given(RULES, perpetual().between(null, "12:00"));
        morning.event("2026-03-04T11:59:59.999Z", "laps", "1");
        morning.event("2026-03-04T12:00:00Z", "laps", "2");
        assertEquals("1", morning.boardValue(B));

        var evening = given(RULES, perpetual().between("12:00", null));
        evening.event("2026-03-04T11:59:59.999Z", "laps", "1");
        evening.event("2026-03-04T12:00:00Z", "laps", "2");
        assertEquals("2", evening.boardValue(B));
    }

    @Test
    void shouldKnowTheTimeOfDayInTheUsersZoneThroughAChangeOfClocks() {
        // In Helsinki 03:00 to 04:00 does not exist on 29 March and occurs twice on 25 October.
        var user = given(RULES, perpetual().between("04:00", "05:00"));
        user.eventIn("Europe/Helsinki", "2026-03-29T00:59:59Z", "laps", "1");
        assertNull(user.board(B));
        user.event("2026-03-29T01:00:00Z", "laps", "2");
        user.event("2026-03-29T01:59:59Z", "laps", "4");
        user.event("2026-03-29T02:00:00Z", "laps", "8");
        assertEquals("6", user.boardValue(B));

        var twice = given(RULES, perpetual().between("03:00", "04:00"));
        twice.eventIn("Europe/Helsinki", "2026-10-25T00:00:00Z", "laps", "1");
        twice.event("2026-10-25T01:30:00Z", "laps", "2");
        twice.event("2026-10-25T02:00:00Z", "laps", "4");
        assertEquals("3", twice.boardValue(B));
    }

    @Test
    void shouldStartAtZeroInEachRun() {
        var user = given(RULES, daily());
        user.event(noon(4), "laps", "3");
        user.event(noon(4), "laps", "1");
        Score next = current(user.event(noon(5), "laps", "2"), B);

        assertEquals(BigDecimal.ZERO, next.before());
        assertEquals(BigDecimal.TWO, next.value());
        assertEquals(UserSpecification.day("2026-03-05"), next.run());
        assertEquals(-1, next.formerOffset());
        assertEquals("4", user.olderRun(B, "2026-03-04"));
    }

    @Test
    void shouldSumAMonthThatBeginsOnADayThatMonthsLack() {
        var user = given(RULES, perpetual().from("2026-01-31").every(1, RunUnit.MONTH));
        user.event("2026-02-27T12:00:00Z", "laps", "1");
        assertEquals(UserSpecification.day("2026-01-31"), user.board(B).run());
        user.event("2026-02-28T12:00:00Z", "laps", "2");
        user.event("2026-03-30T12:00:00Z", "laps", "4");

        assertEquals(UserSpecification.day("2026-02-28"), user.board(B).run());
        assertEquals("6", user.boardValue(B));
    }

    @Test
    void shouldNotScoreARunWithoutChanges() {
        var user = given(RULES, daily());
        user.event(noon(4), "laps", "3");

        assertEquals(List.of(), user.event(noon(5), "litres", "3").scores());
        assertEquals("3", user.boardValue(B));
    }

    @Test
    void shouldFindTheRunByTheLocalDate() {
        var ahead = given(RULES, daily());
        ahead.eventIn("Pacific/Auckland", "2026-03-04T10:59:59Z", "laps", "1");
        assertEquals(UserSpecification.day("2026-03-04"), ahead.board(B).run());
        ahead.event("2026-03-04T11:00:00Z", "laps", "2");
        assertEquals(UserSpecification.day("2026-03-05"), ahead.board(B).run());
        assertEquals("2", ahead.boardValue(B));

        var behind = given(RULES, daily());
        behind.eventIn("Pacific/Honolulu", "2026-03-05T09:59:59Z", "laps", "1");
        assertEquals(UserSpecification.day("2026-03-04"), behind.board(B).run());
        behind.event("2026-03-05T10:00:00Z", "laps", "2");
        assertEquals(UserSpecification.day("2026-03-05"), behind.board(B).run());
    }

    @Test
    void shouldCountInTheZoneThatTheEventItselfBrings() {
        var user = given(RULES, daily());
        user.event("2026-03-04T11:00:00Z", "laps", "1");
        Score score = current(user.eventIn("Pacific/Auckland", "2026-03-04T11:30:00Z", "laps", "2"), B);

        assertEquals(UserSpecification.day("2026-03-05"), score.run());
        assertEquals(BigDecimal.TWO, score.value());
    }

    @Test
    void shouldReturnToTheRunOfTheUsersDateAfterAFlightWest() {
        var user = given(RULES, daily());
        user.eventIn("Pacific/Auckland", "2026-03-04T10:00:00Z", "laps", "1");
        user.event("2026-03-04T12:00:00Z", "laps", "2");
        var west = user.eventIn("Pacific/Honolulu", "2026-03-04T20:00:00Z", "laps", "4");

        Score score = current(west, B);
        assertEquals(UserSpecification.day("2026-03-04"), score.run());
        assertEquals(BigDecimal.ONE, score.before());
        assertEquals(BigDecimal.valueOf(5), score.value());
        assertEquals(0, score.formerOffset());
        assertEquals("2", user.boardValue(B), "the newest run stays in the state");
        assertEquals("5", user.olderRun(B, "2026-03-04"));
        user.event("2026-03-05T20:00:00Z", "laps", "8");
        assertEquals("10", user.boardValue(B));
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
        assertEquals(0, then.formerOffset());
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
        assertEquals(-1, then.formerOffset());
        assertEquals("4", user.olderRun(B, "2026-03-04"));
        assertNull(older(user.event(noon(3), "laps", "-4"), B), "nobody sees it");
        assertEquals("-4", user.olderRun(B, "2026-03-03"));
    }

    @Test
    void shouldCountLateEventsUntilTheRunIsFinalByTheLogsClock() {
        var user = given(RULES, daily());
        user.event(noon(3), "laps", "1");
        user.event(noon(5), "laps", "2");
        user.clockAt("2026-03-04T11:59:59.999Z");
        user.event("2026-03-03T13:00:00Z", "laps", "4");
        assertEquals("5", user.olderRun(B, "2026-03-03"));

        user.clockAt("2026-03-04T12:00:00Z");
        var late = user.event("2026-03-03T13:00:00Z", "laps", "8");
        assertNull(older(late, B));
        assertEquals("5", user.olderRun(B, "2026-03-03"));
        assertEquals(BigDecimal.valueOf(15), user.total("laps"));
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
        assertEquals(0, next.writes().stream().filter(HistoryWrite.PutBoardRun.class::isInstance).count());
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
    void shouldCountNothingBeforeTheStartAndAfterTheEnd() {
        var user = given(RULES,
                perpetual().being(LeaderboardStatus.SCHEDULED).from("2026-03-04").to("2026-03-05"));
        user.event("2026-03-03T23:59:59Z", "laps", "1");
        assertNull(user.board(B));
        assertEquals(BigDecimal.valueOf(3), current(user.event("2026-03-04T00:00:00Z", "laps", "2"), B).value());
        user.event("2026-03-05T23:59:59Z", "laps", "4");
        var after = user.event("2026-03-06T00:00:00Z", "laps", "8");

        assertEquals(List.of(), after.scores(), "past the end nobody is shown");
        assertEquals("7", user.boardValue(B));
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
        var user = given(RULES, perpetual(), TestLeaderboard.ofMetric(902, "laps").every(1, RunUnit.DAY),
                TestLeaderboard.ofMetric(901, "litres"));
        user.applied(noon(4), keyed(eventOf("laps", "3"), "k"));
        var repeated = user.apply("2026-03-04T13:00:00Z", keyed(eventOf("laps", "3"), "k"));

        assertInstanceOf(Outcome.Repeated.class, repeated);
        assertEquals(List.of(B, 902), scores(repeated).stream().map(score -> score.rules().number()).toList());
        for (Score score : scores(repeated)) {
            assertEquals(Score.Kind.SAME, score.kind());
            assertEquals(BigDecimal.valueOf(3), score.value());
            assertEquals(BigDecimal.valueOf(3), score.before());
            assertEquals(0, score.formerOffset());
        }
        var nextDay = user.apply(noon(5), keyed(eventOf("laps", "3"), "k"));
        assertEquals(List.of(B), scores(nextDay).stream().map(score -> score.rules().number()).toList());
    }
}
