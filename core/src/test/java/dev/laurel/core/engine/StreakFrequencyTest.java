package dev.laurel.core.engine;

import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.UserChange;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.givenDays;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class StreakFrequencyTest {

    private static String rules(String streak) {
        return "metrics: {laps: {}}\nstreak: {" + streak + "}";
    }

    @Test
    void shouldCountWeeksFromTheDaysOfADailyStreak() {
        var user = givenDays(rules("frequency: daily"), 3, 4, 10, 18, 19);
        user.rulesBecome(rules("frequency: weekly"));
        var shown = user.streakAt(noon(19), 4);

        assertEquals(3, shown.length());
        assertEquals("weekly", shown.frequency());
        assertEquals(LocalDate.of(2026, 3, 3), shown.started());
        assertEquals(Instant.parse(noon(19)), shown.extended());
        assertEquals(List.of(0, 1, 2, 3), shown.streakHistory().stream().map(p -> p.length()).toList());
        assertFalse(UserSpecification.resultOf(user.event(noon(20), "laps", "1")).streakExtended());
        assertEquals(4, user.event(noon(22), "laps", "1").state().streak().length());
    }

    @Test
    void shouldMeetAWeekOnTheDayItsSumReachesTheThreshold() {
        var user = givenDays(rules("frequency: daily"), 1, 2, 3);
        user.rulesBecome(rules("frequency: weekly, metrics: {laps: 2}"));

        assertEquals(LocalDate.of(2026, 3, 2), user.streakAt(noon(3), 1).started());
    }

    @Test
    void shouldIgnoreOldVerdictsAfterAChangeBackToDays() {
        String daily = rules("frequency: daily, freezesEnabled: true, initialFreezes: 1");
        String weekly = rules("frequency: weekly, freezesEnabled: true, initialFreezes: 1");
        var user = givenDays(daily, 1, 2, 4, 5, 6);
        assertEquals(5, user.state().streak().length(), "3 March is frozen");
        user.applied(noon(9), new RestoreStreak(UserChange.mention(USER)));
        user.rulesBecome(weekly);
        user.identify(noon(9), UserChange.mention(USER));
        user.rulesBecome(daily);
        user.event(noon(9), "laps", "1");

        assertEquals(List.of(1, 2, 0, 1, 2, 3, 0, 0, 1),
                user.streakAt(noon(9), 9).streakHistory().stream().map(p -> p.length()).toList());
        assertEquals(0, user.state().streak().freezes(), "what was spent stays spent");
    }

    @Test
    void shouldClearVerdictsOfOlderBlocks() {
        String daily = rules("frequency: daily, freezesEnabled: true, initialFreezes: 1");
        var user = given(daily);
        for (int day = 0; day < 80; day++) {
            if (day != 3) {
                user.event(LocalDate.of(2026, 1, 1).plusDays(day) + "T12:00:00Z", "laps", "1");
            }
        }
        assertEquals(79, user.state().streak().length());
        user.rulesBecome(rules("frequency: monthly"));
        user.identify("2026-03-21T12:00:00Z", UserChange.mention(USER));
        assertEquals(3, user.state().streak().length());
        user.rulesBecome(daily);

        assertEquals(76, user.lengthAt("2026-03-21T12:00:00Z"));
        assertEquals(LocalDate.of(2026, 1, 5), user.streakAt("2026-03-21T12:00:00Z", 1).started());
    }

    @Test
    void shouldSpendNoFreezesForThePast() {
        var user = givenDays(rules("frequency: weekly, freezesEnabled: true, initialFreezes: 2"), 3, 10);
        user.rulesBecome(noon(16), rules("frequency: daily, freezesEnabled: true, initialFreezes: 2"));
        user.tick(noon(17));

        assertEquals(2, user.state().streak().freezes());
        assertEquals(0, user.state().streak().length());
    }

    @Test
    void shouldProtectByPausesUnderTheNewFrequencyToo() {
        var user = givenDays(rules("frequency: weekly"), 3);
        user.applied(noon(3), new PlanPause(UserChange.mention(USER), new UUID(7, 1), LocalDate.of(2026, 3, 4),
                LocalDate.of(2026, 3, 9)));
        user.event(noon(10), "laps", "1");
        user.rulesBecome(rules("frequency: daily"));

        assertEquals(2, user.lengthAt(noon(10)));
    }

    @Test
    void shouldRecountWeeksThatBeginOnAnotherDay() {
        var user = givenDays(rules("frequency: weekly"), 7, 8);
        assertEquals(2, user.state().streak().length());
        user.rulesBecome(rules("frequency: weekly") + "\nsettings: {weekStartsOn: monday}");

        assertEquals(1, user.lengthAt(noon(8)));
    }

    @Test
    void shouldKeepFrozenPeriodsWhenOnlyTheFirstDayOfTheWeekChanges() {
        String daily = rules("frequency: daily, freezesEnabled: true, initialFreezes: 1");
        var user = givenDays(daily, 3, 5);
        assertEquals(2, user.state().streak().length());
        user.rulesBecome(daily + "\nsettings: {weekStartsOn: monday}");

        assertEquals(2, user.lengthAt(noon(5)));
    }
}
