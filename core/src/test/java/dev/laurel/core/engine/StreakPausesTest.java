package dev.laurel.core.engine;

import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StreakPausesTest {

    private static final String ANY = "metrics: {laps: {}}";
    private static final UserChange MENTION = UserChange.mention(USER);

    private static PlanPause pause(int number, int first, int last) {
        return new PlanPause(MENTION, new UUID(7, number), LocalDate.of(2026, 3, first), LocalDate.of(2026, 3, last));
    }

    private static DeletePause delete(int number) {
        return new DeletePause(MENTION, new UUID(7, number));
    }

    private static UserSpecification givenDays(int... daysOfMarch) {
        return UserSpecification.givenDays(ANY, daysOfMarch);
    }

    @Test
    void shouldKeepTheLengthThroughAPauseAndExtendWithinIt() {
        var user = givenDays(4);
        user.applied(noon(4), pause(1, 5, 8));

        assertEquals(1, user.lengthAt("2026-03-09T23:59:59Z"));
        assertEquals(0, user.lengthAt("2026-03-10T00:00:00Z"));
        assertEquals(2, user.event(noon(6), "laps", "1").state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 9), user.streakAt(noon(6), 1).expires());
        assertEquals(List.of(false, true, false),
                user.streakAt(noon(6), 3).streakHistory().stream().map(p -> p.usedPause()).toList());
    }

    @Test
    void shouldProtectAWeekWithOnePausedDay() {
        var user = given("metrics: {laps: {}}\nstreak: {frequency: weekly}");
        user.event(noon(4), "laps", "1");
        user.applied(noon(4), pause(1, 14, 14));

        assertEquals(1, user.lengthAt("2026-03-21T23:59:59Z"));
        assertEquals(0, user.lengthAt("2026-03-22T00:00:00Z"));
    }

    @Test
    void shouldStopProtectingWhatIsNotOverWhenDeleted() {
        var user = givenDays(4);
        user.applied(noon(4), pause(1, 5, 20));
        user.applied(noon(8), delete(1));

        assertEquals(1, user.lengthAt("2026-03-08T23:59:59Z"), "5 to 7 March stay protected");
        assertEquals(0, user.lengthAt("2026-03-09T00:00:00Z"));
        assertEquals(List.of(), user.streakAt(noon(8), 1).pauses());
        assertEquals(List.of(false, true, true, true, false),
                user.streakAt(noon(8), 5).streakHistory().stream().map(p -> p.usedPause()).toList());
    }

    @Test
    void shouldCountWhenALateEventJoinsChainsAcrossIt() {
        var user = given(ANY);
        user.identify(noon(4), MENTION);
        user.applied(noon(4), pause(1, 5, 8));
        user.event(noon(9), "laps", "1");
        user.event(noon(4), "laps", "1");

        assertEquals(2, user.lengthAt(noon(9)));
    }

    @Test
    void shouldJoinChainsAcrossMonthsOfPause() {
        var user = givenDays(4);
        user.applied(noon(4),
                new PlanPause(MENTION, new UUID(7, 1), LocalDate.of(2026, 3, 5), LocalDate.of(2026, 9, 30)));
        user.event("2026-10-01T12:00:00Z", "laps", "1");
        assertEquals(2, user.state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 4), user.streakAt("2026-10-01T12:00:00Z", 1).started());

        user.event(noon(3), "laps", "1");
        assertEquals(3, user.state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 3), user.streakAt("2026-10-01T12:00:00Z", 1).started());
    }

    @Test
    void shouldRefuseImpossibleChanges() {
        var user = givenDays(4);
        user.applied(noon(4), pause(1, 6, 8));

        assertEquals(Refusal.pauseInThePast(LocalDate.of(2026, 3, 3), LocalDate.of(2026, 3, 4)),
                user.refused(noon(4), pause(2, 3, 4)));
        assertEquals(Refusal.pauseOverlaps(LocalDate.of(2026, 3, 6), LocalDate.of(2026, 3, 8)),
                user.refused(noon(4), pause(2, 8, 9)));
        assertEquals(Refusal.pauseExists(new UUID(7, 1)), user.refused(noon(4), pause(1, 10, 11)));
        assertEquals(Refusal.unknownPause(), user.refused(noon(4), delete(3)));
    }

    @Test
    void shouldJudgeTodayInTheUsersOwnZone() {
        var user = given(ANY);
        user.moveTo("Pacific/Honolulu", "2026-03-05T05:00:00Z");
        user.applied("2026-03-05T05:00:00Z", pause(1, 4, 4));
        user.refused("2026-03-05T10:00:00Z", pause(2, 4, 4));
    }

    @Test
    void shouldReplaceFinishedPausesByNewOnes() {
        var user = given(ANY);
        user.event("2026-03-01T12:00:00Z", "laps", "1");
        LocalDate day = LocalDate.of(2026, 3, 2);
        for (int i = 0; i < StreakAdministration.MAX_PAUSES; i++) {
            user.applied("2026-03-01T12:00:00Z", new PlanPause(MENTION, new UUID(7, i), day.plusDays(i),
                    day.plusDays(i)));
        }
        var more = new PlanPause(MENTION, new UUID(8, 1), LocalDate.of(2027, 1, 1), LocalDate.of(2027, 1, 1));
        assertEquals(Refusal.tooManyPauses(StreakAdministration.MAX_PAUSES),
                user.refused("2026-03-01T12:00:00Z", more));

        user.applied("2026-03-03T12:00:00Z", more);
        assertEquals(StreakAdministration.MAX_PAUSES, user.state().streak().pauses().size());
        assertEquals(1, user.lengthAt("2026-06-09T12:00:00Z"), "what was protected stays so");
        assertTrue(user.streakAt("2026-03-03T12:00:00Z", 2).streakHistory().getFirst().usedPause());
        assertFalse(user.streakAt("2026-03-03T12:00:00Z", 3).streakHistory().getFirst().usedPause());
    }
}
