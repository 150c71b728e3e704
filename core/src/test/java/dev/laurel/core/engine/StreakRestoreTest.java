package dev.laurel.core.engine;

import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class StreakRestoreTest {

    private static final String ANY = "metrics: {laps: {}}";
    private static final RestoreStreak RESTORE = new RestoreStreak(UserChange.mention(USER));

    private static UserSpecification givenDays(int... daysOfMarch) {
        return UserSpecification.givenDays(ANY, daysOfMarch);
    }

    private static List<Integer> lengths(UserSpecification user, int dayOfMarch, int periods) {
        return user.streakAt(noon(dayOfMarch), periods).streakHistory().stream().map(p -> p.length()).toList();
    }

    @Test
    void shouldRestoreTheLongestStreakAndKeepTheShownHistory() {
        var user = givenDays(1, 2, 3, 6);
        var restored = user.applied(noon(8), RESTORE);

        assertEquals(List.of(),
                restored.effects().stream().filter(e -> e.at().equals(Instant.parse(noon(8)))).toList());
        assertEquals(3, restored.state().streak().length());
        assertEquals(List.of(1, 2, 3, 0, 0, 1, 0, 3), lengths(user, 8, 8));
        var shown = user.streakAt(noon(8), 1);
        assertEquals(LocalDate.of(2026, 3, 1), shown.started());
        assertEquals(LocalDate.of(2026, 3, 9), shown.expires());
    }

    @Test
    void shouldContinueFromTheRestoredLength() {
        var user = givenDays(1, 2, 3);
        user.applied(noon(8), RESTORE);

        assertEquals(4, user.event("2026-03-08T13:00:00Z", "laps", "1").state().streak().length());
        assertEquals(5, user.event(noon(9), "laps", "1").state().streak().length());
        assertEquals(0, user.lengthAt("2026-03-11T00:00:00Z"));
    }

    @Test
    void shouldRestoreUpToThePresentPeriodOnly() {
        var user = givenDays(1, 2, 3);
        user.applied(noon(8), RESTORE);

        assertEquals(3, user.lengthAt("2026-03-09T23:59:59Z"));
        assertEquals(0, user.lengthAt("2026-03-10T00:00:00Z"));
    }

    @Test
    void shouldBeExactlyTheLongestEvenIfTodayIsMet() {
        var user = givenDays(1, 2, 3, 8);
        user.applied(noon(8), RESTORE);

        assertEquals(3, user.state().streak().length());
        assertEquals(4, user.event(noon(9), "laps", "1").state().streak().length());
    }

    @Test
    void shouldGrowByALateEventOnARestoredPeriod() {
        var user = givenDays(1, 2, 3);
        user.applied(noon(8), RESTORE);
        user.event(noon(5), "laps", "1");

        assertEquals(4, user.state().streak().length());
        assertEquals(List.of(1, 2, 3, 0, 1, 0, 0, 4), lengths(user, 8, 8));
        assertEquals(List.of(1, 0, 0, 4, 4), lengths(user, 9, 5));
    }

    @Test
    void shouldGrowByALateEventBeforeTheRestoredChain() {
        var user = givenDays(2, 3, 4);
        user.applied(noon(8), RESTORE);
        user.event(noon(1), "laps", "1");

        assertEquals(4, user.state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 1), user.streakAt(noon(8), 1).started());
    }

    @Test
    void shouldRestoreARestoredStreakAgain() {
        var user = givenDays(1, 2, 3);
        user.applied(noon(8), RESTORE);
        user.event("2026-03-08T13:00:00Z", "laps", "1");
        user.applied(noon(12), RESTORE);

        assertEquals(4, user.state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 1), user.streakAt(noon(12), 1).started());
    }

    @Test
    void shouldRefuseWithoutALongerStreakInTheWindow() {
        assertEquals(Refusal.nothingToRestore(), givenDays(1, 2, 3).refused(noon(3), RESTORE));
        assertEquals(Refusal.nothingToRestore(), givenDays(1, 2, 3, 6, 7, 8).refused(noon(8), RESTORE));
        assertEquals(Refusal.nothingToRestore(), givenDays(1, 2).refused("2026-06-20T12:00:00Z", RESTORE));
        assertEquals(2, givenDays(1, 2).applied("2026-05-31T12:00:00Z", RESTORE).state().streak().length());
    }

    @Test
    void shouldRestoreWeeksBackToTheBeginningOfTheYear() {
        String weekly = "metrics: {laps: {}}\nstreak: {frequency: weekly}";
        var user = given(weekly);
        user.event("2025-12-24T12:00:00Z", "laps", "1");
        user.event("2025-12-30T12:00:00Z", "laps", "1");
        assertEquals(2, user.applied("2026-12-30T12:00:00Z", RESTORE).state().streak().length(),
                "its week holds 1 January");

        var older = given(weekly);
        older.event("2025-12-20T12:00:00Z", "laps", "1");
        older.event("2025-12-27T12:00:00Z", "laps", "1");
        older.refused("2026-01-20T12:00:00Z", RESTORE);
    }

    @Test
    void shouldContinueAcrossBlocks() {
        var user = given(ANY);
        for (int day = 0; day < 40; day++) {
            user.event(LocalDate.of(2026, 1, 1).plusDays(day) + "T12:00:00Z", "laps", "1");
        }
        user.applied("2026-04-20T12:00:00Z", RESTORE);
        assertEquals(40, user.state().streak().length());
        assertEquals(LocalDate.of(2026, 1, 1), user.streakAt("2026-04-20T12:00:00Z", 1).started());

        user.event("2025-12-31T12:00:00Z", "laps", "1");
        assertEquals(41, user.state().streak().length());
        user.event("2026-03-03T12:00:00Z", "laps", "1");
        assertEquals(42, user.state().streak().length());
        assertNull(user.streakAt("2026-04-22T00:00:00Z", 1).started());
    }
}
