package dev.laurel.core.engine;

import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** More changes of days off than are remembered: docs/semantics.md §5. */
class StreakDaysOffTest {

    private static final String SUNDAY = "2026-03-01T12:00:00Z";
    private static final int MONDAY = 1;
    private static final int TUESDAY = 2;

    private final UserSpecification user = given("metrics: {laps: {}}\nstreak: {personalizationEnabled: true}");

    private static String after(int days) {
        return Instant.parse(SUNDAY).plus(days, ChronoUnit.DAYS).toString();
    }

    private void daysOff(int days, int... weekdays) {
        user.applied(after(days),
                new SetPreferences(UserChange.mention(USER), Map.of(), new StreakChange(Change.keep(), Change.keep(),
                        Change.keep(), Change.set(Arrays.stream(weekdays).boxed().toList()))));
    }

    private void event(int days) {
        user.event(after(days), "laps", "1");
    }

    @Test
    void shouldKeepVerdictsOfDaysOffThatAreForgotten() {
        event(0);
        daysOff(1, MONDAY); // missed
        event(2);
        int changes = DaysOff.MAX_CHANGES + 5;
        for (int day = 3; day < 3 + changes; day++) {
            event(day);
            daysOff(day, day % 2 == 0 ? MONDAY : TUESDAY);
        }
        assertEquals(DaysOff.MAX_CHANGES, user.state().streak().daysOff().changes().size());
        int length = 2 + changes;
        assertEquals(length, user.state().streak().length());

        // A late event recounts the streak from before the forgotten day off.
        event(-1);

        assertEquals(length + 1, user.state().streak().length());
        var shown = user.streakAt(after(2 + changes), 3 + changes);
        assertEquals(LocalDate.of(2026, 2, 28), shown.started());
        assertEquals(List.of(2, 2, 3), shown.streakHistory().stream().map(period -> period.length()).limit(3).toList());
    }
}
