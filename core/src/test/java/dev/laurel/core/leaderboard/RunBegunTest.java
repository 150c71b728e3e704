package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunBegunTest {

    private static Runs runs(String start, String end, RunLength length) {
        return new Runs(new Leaderboard(
                1,
                new UUID(0, 1),
                "b",
                "b",
                null,
                LeaderboardStatus.ACTIVE,
                new RankBy.StreakLength(),
                LocalDate.parse(start),
                end == null ? null : LocalDate.parse(end),
                null,
                null,
                10,
                List.of(),
                length,
                Instant.EPOCH,
                null,
                null,
                false,
                false,
                null));
    }

    /** A run begins with its first date at UTC+14. */
    @ParameterizedTest
    @CsvSource({
        "2026-01-30T09:59:59.999Z,",
        "2026-01-30T10:00:00Z,2026-01-31",
        "2026-02-27T09:59:59Z,2026-01-31",
        "2026-02-27T10:00:00Z,2026-02-28",
        "2026-03-30T10:00:00Z,2026-03-31",
        "2026-05-01T09:59:59Z,2026-04-30",
        "2026-05-01T10:00:00Z,"
    })
    void shouldFindTheNewestRunThatHasBegunAnywhere(String at, LocalDate firstDate) {
        Runs monthly = runs("2026-01-31", "2026-05-01", new RunLength(RunLength.RunUnit.MONTH, 1));
        int run = monthly.runBegunBy(Instant.parse(at).toEpochMilli());
        assertEquals(firstDate, run == Runs.NONE ? null : monthly.firstDateOf(run));
        if (firstDate != null) {
            assertEquals(firstDate.toEpochDay(), run);
        }
    }

    @ParameterizedTest
    @CsvSource({"2026-01-30T09:59:59Z,-2147483648", "2026-01-30T10:00:00Z,0", "2029-01-01T00:00:00Z,0"})
    void shouldBeginTheOnlyRunOnce(String at, int run) {
        assertEquals(
                run, runs("2026-01-31", null, null).runBegunBy(Instant.parse(at).toEpochMilli()));
    }
}
