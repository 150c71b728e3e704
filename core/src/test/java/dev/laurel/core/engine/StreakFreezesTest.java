package dev.laurel.core.engine;

import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.givenDays;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;

class StreakFreezesTest {

    private static final UserChange MENTION = UserChange.mention(USER);

    private static String rules(String streak) {
        return "metrics: {laps: {}}\nstreak: {freezesEnabled: true, " + streak + "}";
    }

    private static Instant midnight(int dayOfMarch) {
        return Instant.parse("2026-03-%02dT00:00:00Z".formatted(dayOfMarch));
    }

    @Test
    void shouldStartWithTheInitialFreezes() {
        assertEquals(2, givenDays(rules("initialFreezes: 2"), 4).state().streak().freezes());
        assertEquals(Optional.empty(), givenDays("metrics: {laps: {}}", 4).streakAt(noon(4), 1).freezes());
    }

    @Test
    void shouldSpendOneFreezeForEachMissedPeriodThenLose() {
        var user = givenDays(rules("initialFreezes: 2"), 4);
        assertEquals(
                List.of(new Effect.FreezeConsumed(USER, midnight(6), 1, 1),
                        new Effect.FreezeConsumed(USER, midnight(7), 1, 0),
                        new Effect.StreakLost(USER, midnight(8), 1)),
                user.tick(noon(9)));

        var history = user.streakAt(noon(9), 6).streakHistory();
        assertEquals(List.of(1, 1, 1, 0, 0, 0), history.stream().map(p -> p.length()).toList());
        assertEquals(List.of(false, true, true, false, false, false),
                history.stream().map(p -> p.usedFreeze().orElseThrow()).toList());
    }

    @Test
    void shouldSpendNoFreezeWithoutAStreak() {
        var user = given(rules("initialFreezes: 2"));
        user.identify(noon(4), MENTION);

        assertEquals(2, user.read(noon(20)).streak().freezes());
    }

    @Test
    void shouldReturnAFreezeWhenALateEventMeetsItsPeriod() {
        var user = givenDays(rules("initialFreezes: 2"), 4, 6);
        assertEquals(1, user.state().streak().freezes());
        user.event(noon(5), "laps", "1");

        assertEquals(2, user.state().streak().freezes());
        assertEquals(3, user.state().streak().length());
    }

    @Test
    void shouldReturnNoFreezeBeyondTheMaximum() {
        var user = givenDays(rules("initialFreezes: 1, maxFreezes: 1"), 4, 6);
        user.applied(noon(6), new GrantFreeze(MENTION));
        user.event(noon(5), "laps", "1");

        assertEquals(1, user.state().streak().freezes());
    }

    @Test
    void shouldSpendNoFreezeOnThePastBecauseOfALateEvent() {
        var user = givenDays(rules("initialFreezes: 2"), 20);
        user.event(noon(4), "laps", "1");

        assertEquals(2, user.state().streak().freezes());
        assertEquals(1, user.state().streak().length());
    }

    @Test
    void shouldEarnAtMidnightAfterThatMidnightsJudgement() {
        var user = givenDays(rules("maxFreezes: 1, freezeAutoEarnInterval: 2, freezeAutoEarnAmount: 3"), 4);

        assertEquals(List.of(new Effect.StreakLost(USER, midnight(6), 1),
                new Effect.FreezeEarned(USER, midnight(6), 1, 1)), user.tick(noon(6)));
        user.event(noon(6), "laps", "1");
        assertEquals(List.of(new Effect.FreezeConsumed(USER, midnight(8), 1, 0),
                new Effect.FreezeEarned(USER, midnight(8), 1, 1)), user.tick(noon(8)),
                "at the maximum until the judgement has made room");
    }

    @Test
    void shouldEarnFromTheLocalDateOfCreation() {
        var user = given(rules("freezeAutoEarnInterval: 3, freezeAutoEarnAmount: 1"));
        user.moveTo("Pacific/Auckland", "2026-03-04T12:00:00Z");

        assertEquals(List.of(new Effect.FreezeEarned(USER, Instant.parse("2026-03-07T11:00:00Z"), 1, 1)),
                user.tick("2026-03-08T11:00:00Z"), "created on 5 March there");
    }

    @Test
    void shouldCatchUpYearsOfEarningAtTheMaximumAtOnce() {
        var user = givenDays(rules("maxFreezes: 3, freezeAutoEarnInterval: 7, freezeAutoEarnAmount: 1"), 4);
        var effects = user.tick("2036-03-04T12:00:00Z");

        assertEquals(3, user.state().streak().freezes());
        assertEquals(4, effects.size(), "one loss and three freezes: " + effects);
        assertEquals(UserSpecification.day("2036-02-27"), user.state().streak().earnedTo());
        assertEquals(Instant.parse("2036-03-05T00:00:00Z").toEpochMilli(), user.state().wakeUpMs());
    }

    @Test
    void shouldFindTheSameByOneReadAsByOnePerDay() {
        for (int interval = 1; interval <= 5; interval++) {
            String rules = rules("initialFreezes: 2, maxFreezes: 2, freezeAutoEarnAmount: 1, freezeAutoEarnInterval: "
                    + interval);
            var daily = givenDays(rules, 4, 5);
            var effects = new ArrayList<Effect>();
            for (int day = 5; day <= 31; day++) {
                effects.addAll(daily.tick(noon(day)));
            }
            var once = givenDays(rules, 4, 5);

            assertEquals(effects, once.tick(noon(31)));
            assertEquals(daily.state().streak(), once.state().streak());
        }
    }

    @Test
    void shouldNotEarnForTheTimeBeforeFreezesWereSwitchedOn() {
        var user = givenDays("metrics: {laps: {}}", 4);
        user.rulesBecome(noon(20), rules("freezeAutoEarnInterval: 1, freezeAutoEarnAmount: 1"));

        assertEquals(0, user.read(noon(20)).streak().freezes());
        assertEquals(1, user.read(noon(21)).streak().freezes());
    }

    @Test
    void shouldGrantUpToTheMaximum() {
        var user = givenDays(rules("maxFreezes: 1"), 4);
        var granted = user.applied(noon(4), new GrantFreeze(MENTION));

        assertEquals(List.of(new Effect.FreezeEarned(USER, Instant.parse(noon(4)), 1, 1)), granted.effects());
        assertEquals(Refusal.freezeLimit(), user.refused(noon(4), new GrantFreeze(MENTION)));
    }

    @Test
    void shouldGrantNoneWhileFreezesAreOff() {
        assertEquals(Refusal.freezesOff(),
                givenDays("metrics: {laps: {}}", 4).refused(noon(4), new GrantFreeze(MENTION)));
        assertEquals(Refusal.userDoesNotExist(), given(rules("maxFreezes: 1")).refused(noon(4),
                new GrantFreeze(MENTION)));
    }

    @Test
    void shouldSpendNoFreezeWhileStreaksAreOff() {
        var user = givenDays(rules("initialFreezes: 2"), 4);
        user.rulesBecome(rules("initialFreezes: 2, enabled: false"));

        assertEquals(List.of(), user.tick(noon(12)));
        assertEquals(2, user.state().streak().freezes());
    }
}
