package dev.laurel.core.engine;

import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.givenDays;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StreakTest {

    private static final String ANY = "metrics: {laps: {}, litres: {}}";

    @Test
    void shouldStartWithTheFirstPositiveEvent() {
        var first = given(ANY).event(noon(4), "laps", "1");

        assertEquals(1, first.state().streak().length());
        assertTrue(UserSpecification.resultOf(first).streakExtended());
        assertEquals(new Effect.StreakStarted(UserSpecification.USER, Instant.parse(noon(4)), 1),
                first.effects().getLast());
    }

    @Test
    void shouldExtendOnTheNextDay() {
        var user = givenDays(ANY, 4);
        var next = user.event("2026-03-05T23:59:59.999Z", "laps", "1");

        assertEquals(2, next.state().streak().length());
        assertTrue(UserSpecification.resultOf(next).streakExtended());
        assertEquals(List.of(new Effect.StreakExtended(UserSpecification.USER,
                Instant.parse("2026-03-05T23:59:59.999Z"), 2)), next.effects());
    }

    @Test
    void shouldNotExtendTwiceOnOneDay() {
        var user = givenDays(ANY, 4);
        var again = user.event("2026-03-04T13:00:00Z", "laps", "1");

        assertFalse(UserSpecification.resultOf(again).streakExtended());
        assertEquals(List.of(), again.effects());
        assertEquals(1, again.state().streak().length());
    }

    @Test
    void shouldStartAgainAfterAGap() {
        var user = givenDays(ANY, 4, 5);
        var back = user.event(noon(7), "laps", "1");

        assertEquals(1, back.state().streak().length());
        assertEquals(List.of(
                new Effect.StreakLost(UserSpecification.USER, Instant.parse("2026-03-07T00:00:00Z"), 2),
                new Effect.StreakStarted(UserSpecification.USER, Instant.parse(noon(7)), 1)), back.effects());
    }

    @Test
    void shouldBeLostByATickAtTheEndOfTheMissedDay() {
        var user = givenDays(ANY, 4, 5);

        assertEquals(List.of(), user.tick("2026-03-06T23:59:59.999Z"));
        assertEquals(2, user.state().streak().length());
        assertEquals(List.of(new Effect.StreakLost(UserSpecification.USER, Instant.parse("2026-03-07T00:00:00Z"), 2)),
                user.tick("2026-03-07T00:00:00Z"));
        assertEquals(0, user.state().streak().length());
        assertEquals(List.of(), user.tick("2026-03-08T00:00:00Z"), "it is lost once");
    }

    @Test
    void shouldShowALossInAReadWithoutChangingTheState() {
        var user = givenDays(ANY, 4, 5);

        assertEquals(2, user.lengthAt("2026-03-06T23:59:59.999Z"));
        assertEquals(0, user.lengthAt("2026-03-07T00:00:00Z"));
        assertEquals(2, user.state().streak().length());
    }

    @Test
    void shouldBeLostAtTheUsersOwnMidnight() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T12:00:00Z", "laps", "1");

        assertEquals(1, user.lengthAt("2026-03-05T14:59:59.999Z"));
        assertEquals(0, user.lengthAt("2026-03-05T15:00:00Z"));
    }

    @Test
    void shouldBeLostWhenTheNextDateBeginsWhereMidnightIsSkipped() {
        var user = given(ANY);
        user.eventIn("Asia/Beirut", "2024-03-29T12:00:00Z", "laps", "1");

        assertEquals(1, user.lengthAt("2024-03-30T21:59:59.999Z"));
        assertEquals(0, user.lengthAt("2024-03-30T22:00:00Z"));
    }

    @Test
    void shouldReachTheSameStateByTickReadAndNextCommand() {
        var ticked = givenDays(ANY, 4, 5);
        ticked.tick("2026-03-09T00:00:00Z");
        var commanded = givenDays(ANY, 4, 5);
        UserState read = commanded.read("2026-03-09T00:00:00Z");
        commanded.identify("2026-03-09T00:00:00Z", UserChange.mention(UserSpecification.USER));

        assertEquals(read.streak(), ticked.state().streak());
        assertEquals(read.streak(), commanded.state().streak());
    }

    @Test
    void shouldCloseAGapByALateEvent() {
        var user = givenDays(ANY, 4, 5, 7, 8);
        assertEquals(2, user.lengthAt(noon(8)));
        var late = user.event(noon(6), "laps", "1");

        assertEquals(5, user.lengthAt(noon(8)));
        assertFalse(UserSpecification.resultOf(late).streakExtended(), "it is not the current day that it met");
        assertEquals(List.of(), late.effects());
        assertEquals(List.of(1, 2, 3, 4, 5), List.of(user.metLength("2026-03-04"), user.metLength("2026-03-05"),
                user.metLength("2026-03-06"), user.metLength("2026-03-07"), user.metLength("2026-03-08")));
    }

    @Test
    void shouldReviveALostStreakByALateEventForYesterday() {
        var user = givenDays(ANY, 4, 5);
        user.identify(noon(7), UserChange.mention(UserSpecification.USER));
        assertEquals(0, user.state().streak().length());
        var late = user.event(noon(6), "laps", "1");

        assertEquals(3, user.lengthAt(noon(7)));
        assertFalse(UserSpecification.resultOf(late).streakExtended());
        assertEquals(0, user.lengthAt("2026-03-08T00:00:00Z"), "and it runs out like any other");
    }

    @Test
    void shouldKeepALostStreakLostWhenALateEventComesTooEarly() {
        var user = givenDays(ANY, 4, 5);
        user.identify(noon(9), UserChange.mention(UserSpecification.USER));
        user.event(noon(6), "laps", "1");

        assertEquals(0, user.lengthAt(noon(9)));
        assertEquals(3, user.metLength("2026-03-06"));
    }

    @Test
    void shouldExtendAnOldChainWithoutTouchingTheNewOne() {
        var user = givenDays(ANY, 1, 2, 9, 10);
        user.event(noon(3), "laps", "1");

        assertEquals(2, user.lengthAt(noon(10)));
        assertEquals(3, user.metLength("2026-03-03"));
        assertEquals(1, user.metLength("2026-03-09"));
    }

    @Test
    void shouldPutALateDayInFrontOfAChain() {
        var user = givenDays(ANY, 5, 6);
        user.event(noon(4), "laps", "1");

        assertEquals(3, user.lengthAt(noon(6)));
    }

    @Test
    void shouldChangeNothingByALateEventOnAMetDay() {
        var user = givenDays(ANY, 4, 5);
        StreakState before = user.state().streak();
        var late = user.event("2026-03-04T08:00:00Z", "laps", "1");

        assertEquals(before, late.state().streak());
        assertFalse(UserSpecification.resultOf(late).streakExtended());
    }

    @Test
    void shouldExtendByALateEventOfToday() {
        var user = givenDays(ANY, 4);
        user.identify("2026-03-05T20:00:00Z", UserChange.mention(UserSpecification.USER));

        assertTrue(UserSpecification.resultOf(user.event("2026-03-05T08:00:00Z", "laps", "1")).streakExtended());
    }

    @Test
    void shouldNotCountValuesThatAreNotPositive() {
        var user = given(ANY);
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "laps", "0")).streakExtended());
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "laps", "-1")).streakExtended());
        assertEquals(0, user.lengthAt(noon(4)));
    }

    @Test
    void shouldStayMetWhenTheDayFallsBelowTheThresholdAgain() {
        var user = given("metrics: {laps: {}}\nstreak: {metrics: {laps: 5}}");
        user.event(noon(4), "laps", "5");
        user.event(noon(4), "laps", "-5");
        var again = user.event(noon(4), "laps", "5");

        assertEquals(1, user.lengthAt(noon(4)));
        assertFalse(UserSpecification.resultOf(again).streakExtended());
    }

    @Test
    void shouldMeetADayWhenItsSumReachesTheThreshold() {
        var user = given("metrics: {laps: {}}\nstreak: {metrics: {laps: 5}}");
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "laps", "4.5")).streakExtended());
        assertTrue(UserSpecification.resultOf(user.event("2026-03-04T13:00:00Z", "laps", "0.5")).streakExtended());
        assertFalse(UserSpecification.resultOf(user.event(noon(5), "laps", "4.5")).streakExtended(),
                "sums do not run over midnight");
    }

    @Test
    void shouldNeedEachConditionUnderAnd() {
        var user = given(
                "metrics: {laps: {}, litres: {}}\nstreak: {evaluationMode: AND, metrics: {laps: 5, litres: 1}}");
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "laps", "5")).streakExtended());
        assertTrue(UserSpecification.resultOf(user.event(noon(4), "litres", "1")).streakExtended());
    }

    @Test
    void shouldNeedOneConditionUnderOr() {
        var user = given(
                "metrics: {laps: {}, litres: {}}\nstreak: {evaluationMode: OR, metrics: {laps: 5, litres: 1}}");
        assertTrue(UserSpecification.resultOf(user.event(noon(4), "litres", "1")).streakExtended());
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "laps", "5")).streakExtended());
    }

    @Test
    void shouldJudgeALateDayByAllItsSums() {
        var user = given(
                "metrics: {laps: {}, litres: {}}\nstreak: {evaluationMode: AND, metrics: {laps: 5, litres: 1}}");
        user.event(noon(4), "laps", "3");
        user.event(noon(4), "litres", "1");
        user.event(noon(6), "laps", "1");
        user.event(noon(6), "litres", "1");
        user.event("2026-03-04T11:00:00Z", "laps", "2");

        assertEquals(1, user.metLength("2026-03-04"));
    }

    @Test
    void shouldIgnoreEventsOfMetricsWithoutACondition() {
        var user = given("metrics: {laps: {}, litres: {}}\nstreak: {metrics: {laps: 1}}");
        assertFalse(UserSpecification.resultOf(user.event(noon(4), "litres", "50")).streakExtended());
    }

    @Test
    void shouldKeepVerdictsWhenTheThresholdRises() {
        var user = givenDays("metrics: {laps: {}}\nstreak: {metrics: {laps: 1}}", 4, 5);
        user.rulesBecome("metrics: {laps: {}}\nstreak: {metrics: {laps: 9}}");

        assertEquals(2, user.lengthAt(noon(6)));
        assertFalse(UserSpecification.resultOf(user.event(noon(6), "laps", "8")).streakExtended());
        assertTrue(UserSpecification.resultOf(user.event(noon(6), "laps", "1")).streakExtended());
        assertEquals(3, user.lengthAt(noon(6)));
    }

    @Test
    void shouldJudgeNothingWhileStreaksAreOff() {
        var off = given("metrics: {laps: {}}\nstreak: {enabled: false}").event(noon(4), "laps", "1");

        assertFalse(UserSpecification.resultOf(off).streakExtended());
        assertNull(off.effects().stream().filter(Effect.StreakStarted.class::isInstance).findAny().orElse(null));
    }

    @Test
    void shouldLoseSilentlyWhileStreaksAreOff() {
        var user = givenDays(ANY, 4, 5);
        user.rulesBecome("metrics: {laps: {}, litres: {}}\nstreak: {enabled: false}");

        assertEquals(List.of(), user.tick("2026-03-09T00:00:00Z"));
        user.rulesBecome(ANY);
        assertEquals(0, user.lengthAt("2026-03-09T00:00:00Z"));
    }

    @Test
    void shouldKeepTheStreakWhenFlyingWestOverARepeatedDate() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T16:00:00Z", "laps", "1");
        var repeated = user.eventIn("America/Los_Angeles", "2026-03-04T20:00:00Z", "laps", "1");

        assertEquals(2, repeated.state().streak().length(), "4 March came after 5 March and leads to it");
        var sameDate = user.event("2026-03-05T20:00:00Z", "laps", "1");
        assertFalse(UserSpecification.resultOf(sameDate).streakExtended());
        assertEquals(2, user.lengthAt("2026-03-05T20:00:00Z"));
    }

    @Test
    void shouldReopenAJudgedDateWhenFlyingWest() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T03:00:00Z", "laps", "1");
        user.tick("2026-03-05T15:00:00Z");
        assertEquals(0, user.state().streak().length());
        user.moveTo("America/Los_Angeles", "2026-03-05T18:00:00Z");

        assertEquals(1, user.lengthAt("2026-03-05T18:00:00Z"), "there it is still 5 March");
        assertEquals(2, user.event("2026-03-05T19:00:00Z", "laps", "1").state().streak().length());
    }

    @Test
    void shouldLoseAReopenedDateAtItsNewEnd() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T03:00:00Z", "laps", "1");
        user.moveTo("America/Los_Angeles", "2026-03-05T18:00:00Z");

        assertEquals(1, user.lengthAt("2026-03-06T07:59:59.999Z"));
        assertEquals(0, user.lengthAt("2026-03-06T08:00:00Z"));
    }

    @Test
    void shouldNotReopenADateThatIsOverInTheNewZoneToo() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T03:00:00Z", "laps", "1");
        user.moveTo("America/Los_Angeles", "2026-03-07T18:00:00Z");

        assertEquals(0, user.lengthAt("2026-03-07T18:00:00Z"));
    }

    @Test
    void shouldFireTheOldZonesTimersBeforeTheZoneChanges() {
        var user = given(ANY);
        user.eventIn("Asia/Tokyo", "2026-03-04T03:00:00Z", "laps", "1");
        var moved = user.moveTo("Europe/Helsinki", "2026-03-07T18:00:00Z");

        assertEquals(List.of(new Effect.StreakLost(UserSpecification.USER, Instant.parse("2026-03-05T15:00:00Z"), 1)),
                moved.effects());
    }

    @Test
    void shouldWakeTheUserWhenTheStreakWouldBeLost() {
        var user = givenDays(ANY, 4);
        assertEquals(Instant.parse("2026-03-06T00:00:00Z").toEpochMilli(), user.state().wakeUpMs());

        user.event(noon(5), "laps", "1");
        assertEquals(Instant.parse("2026-03-06T00:00:00Z").toEpochMilli(), user.state().wakeUpMs(), "early is enough");
        user.tick("2026-03-06T00:00:00Z");
        assertEquals(Instant.parse("2026-03-07T00:00:00Z").toEpochMilli(), user.state().wakeUpMs());
        user.tick("2026-03-07T00:00:00Z");
        assertEquals(0, user.state().wakeUpMs());
    }
}
