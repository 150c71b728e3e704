package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.givenDays;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Streaks of single users: what the state stores, and histories too long for a rule case. The rule cases {@code streak-*.yaml} of
 * the processors test the rules.
 */
class StreakTest {

    private static final String ANY = "metrics: {laps: {}}";
    private static final UserChange MENTION = UserChange.mention(USER);
    private static final String SUNDAY = "2026-03-01T12:00:00Z";
    private static final int MONDAY = 1;
    private static final int TUESDAY = 2;

    private static String freezes(String streak) {
        return "metrics: {laps: {}}\nstreak: {freezesEnabled: true, " + streak + "}";
    }

    @Test
    void shouldReachTheSameStateByTickReadAndNextCommand() {
        var ticked = givenDays(ANY, 4, 5);
        ticked.tick("2026-03-09T00:00:00Z");
        var commanded = givenDays(ANY, 4, 5);
        UserState read = commanded.read("2026-03-09T00:00:00Z");
        commanded.identify("2026-03-09T00:00:00Z", MENTION);

        assertEquals(read.streak(), ticked.state().streak());
        assertEquals(read.streak(), commanded.state().streak());
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
    void shouldWakeTheUserWhenTheStreakWouldBeLost() {
        var user = givenDays(ANY, 4);
        assertEquals(
                Instant.parse("2026-03-06T00:00:00Z").toEpochMilli(),
                user.state().wakeUpMs());

        user.event(noon(5), "laps", "1");
        assertEquals(
                Instant.parse("2026-03-06T00:00:00Z").toEpochMilli(),
                user.state().wakeUpMs(),
                "early is enough");
        user.tick("2026-03-06T00:00:00Z");
        assertEquals(
                Instant.parse("2026-03-07T00:00:00Z").toEpochMilli(),
                user.state().wakeUpMs());
        user.tick("2026-03-07T00:00:00Z");
        assertEquals(0, user.state().wakeUpMs());
    }

    @Test
    void shouldCatchUpYearsOfEarningAtTheMaximumAtOnce() {
        var user = givenDays(freezes("maxFreezes: 3, freezeAutoEarnInterval: 7, freezeAutoEarnAmount: 1"), 4);
        var effects = user.tick("2036-03-04T12:00:00Z");

        assertEquals(3, user.state().streak().freezes());
        assertEquals(4, effects.size(), "one loss and three freezes: " + effects);
        assertEquals(UserSpecification.day("2036-02-27"), user.state().streak().earnedTo());
        assertEquals(
                Instant.parse("2036-03-05T00:00:00Z").toEpochMilli(),
                user.state().wakeUpMs());
    }

    @Test
    void shouldFindTheSameByOneReadAsByOnePerDay() {
        for (int interval = 1; interval <= 5; interval++) {
            String rules = freezes(
                    "initialFreezes: 2, maxFreezes: 2, freezeAutoEarnAmount: 1, freezeAutoEarnInterval: " + interval);
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

    /** The dates of a clock change, or of 29 February, and the hours until the end of the day after the last event. */
    @ParameterizedTest
    @CsvSource({
        "Europe/London, 2026-03-28T12:00, 35",
        "Europe/London, 2026-10-24T12:00, 37",
        "America/New_York, 2026-03-07T12:00, 35",
        "America/New_York, 2026-10-31T12:00, 37",
        "Asia/Kolkata, 2024-02-28T12:00, 36",
        "Pacific/Auckland, 2026-09-26T12:00, 35",
        "Pacific/Auckland, 2026-04-04T12:00, 37",
        "Pacific/Honolulu, 2024-02-28T12:00, 36",
        "Pacific/Apia, 2011-12-28T12:00, 36"
    })
    void shouldBeLostAtTheEndOfTheNextDateHoweverLongItIs(String zone, String local, int hours) {
        var user = given(ANY);
        Instant event = LocalDateTime.parse(local).atZone(ZoneId.of(zone)).toInstant();
        user.eventIn(zone, event.toString(), "laps", "1");
        Instant end = event.plusSeconds(hours * 3600L);

        assertEquals(1, user.lengthAt(end.minusMillis(1).toString()));
        assertEquals(0, user.lengthAt(end.toString()));
        assertEquals(
                List.of(new Effect.StreakLost(UserSpecification.USER, end, 1)),
                user.tick(end.plusSeconds(900).toString()));
    }

    @Test
    void shouldContinueAcrossBlocks() {
        var user = given(ANY);
        for (int day = 0; day < 40; day++) {
            user.event(LocalDate.of(2026, 1, 1).plusDays(day) + "T12:00:00Z", "laps", "1");
        }
        user.applied("2026-04-20T12:00:00Z", new RestoreStreak(MENTION));
        assertEquals(40, user.state().streak().length());
        assertEquals(
                LocalDate.of(2026, 1, 1),
                user.streakAt("2026-04-20T12:00:00Z", 1).base().started());

        user.event("2025-12-31T12:00:00Z", "laps", "1");
        assertEquals(41, user.state().streak().length());
        user.event("2026-03-03T12:00:00Z", "laps", "1");
        assertEquals(42, user.state().streak().length());
        assertNull(user.streakAt("2026-04-22T00:00:00Z", 1).base().started());
    }

    @Test
    void shouldReplaceFinishedPausesByNewOnes() {
        var user = given(ANY);
        user.event("2026-03-01T12:00:00Z", "laps", "1");
        LocalDate day = LocalDate.of(2026, 3, 2);
        for (int i = 0; i < StreakAdministration.MAX_PAUSES; i++) {
            user.applied(
                    "2026-03-01T12:00:00Z", new PlanPause(MENTION, new UUID(7, i), day.plusDays(i), day.plusDays(i)));
        }
        var more = new PlanPause(MENTION, new UUID(8, 1), LocalDate.of(2027, 1, 1), LocalDate.of(2027, 1, 1));
        assertEquals(
                Refusal.tooMany("pauses", StreakAdministration.MAX_PAUSES), user.refused("2026-03-01T12:00:00Z", more));

        user.applied("2026-03-03T12:00:00Z", more);
        assertEquals(
                StreakAdministration.MAX_PAUSES, user.state().streak().pauses().size());
        assertEquals(1, user.lengthAt("2026-06-09T12:00:00Z"), "what was protected stays so");
        assertTrue(user.streakAt("2026-03-03T12:00:00Z", 2)
                .streakHistory()
                .getFirst()
                .usedPause());
        assertFalse(user.streakAt("2026-03-03T12:00:00Z", 3)
                .streakHistory()
                .getFirst()
                .usedPause());
    }

    @Test
    void shouldClearVerdictsOfOlderBlocks() {
        String daily = freezes("frequency: daily, initialFreezes: 1");
        var user = given(daily);
        for (int day = 0; day < 80; day++) {
            if (day != 3) {
                user.event(LocalDate.of(2026, 1, 1).plusDays(day) + "T12:00:00Z", "laps", "1");
            }
        }
        assertEquals(79, user.state().streak().length());
        user.rulesBecome("metrics: {laps: {}}\nstreak: {frequency: monthly}");
        user.identify("2026-03-21T12:00:00Z", MENTION);
        assertEquals(3, user.state().streak().length());
        user.rulesBecome(daily);

        assertEquals(76, user.lengthAt("2026-03-21T12:00:00Z"));
        assertEquals(
                LocalDate.of(2026, 1, 5),
                user.streakAt("2026-03-21T12:00:00Z", 1).base().started());
    }

    private static String after(int days) {
        return Instant.parse(SUNDAY).plus(days, ChronoUnit.DAYS).toString();
    }

    private static void daysOff(UserSpecification user, int days, int... weekdays) {
        user.applied(
                after(days),
                new SetPreferences(
                        MENTION,
                        Map.of(),
                        new StreakChange(
                                Change.keep(),
                                Change.keep(),
                                Change.keep(),
                                Change.set(Arrays.stream(weekdays).boxed().toList())),
                        SetPreferences.LeaderboardsChange.NONE));
    }

    private static void event(UserSpecification user, int days) {
        user.event(after(days), "laps", "1");
    }

    @Test
    void shouldKeepVerdictsOfDaysOffThatAreForgotten() {
        var user = given("metrics: {laps: {}}\nstreak: {personalizationEnabled: true}");
        event(user, 0);
        daysOff(user, 1, MONDAY); // missed
        event(user, 2);
        int changes = DaysOff.MAX_CHANGES + 5;
        for (int day = 3; day < 3 + changes; day++) {
            event(user, day);
            daysOff(user, day, day % 2 == 0 ? MONDAY : TUESDAY);
        }
        assertEquals(
                DaysOff.MAX_CHANGES, user.state().streak().daysOff().changes().size());
        int length = 2 + changes;
        assertEquals(length, user.state().streak().length());

        // A late event recounts the streak from before the forgotten day off.
        event(user, -1);

        assertEquals(length + 1, user.state().streak().length());
        var shown = user.streakAt(after(2 + changes), 3 + changes);
        assertEquals(LocalDate.of(2026, 2, 28), shown.base().started());
        assertEquals(
                List.of(2, 2, 3),
                shown.streakHistory().stream()
                        .map(period -> period.length())
                        .limit(3)
                        .toList());
    }
}
