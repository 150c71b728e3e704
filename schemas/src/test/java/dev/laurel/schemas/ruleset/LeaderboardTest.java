package dev.laurel.schemas.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderboardTest {

    /** The leaderboard starts when 10 March begins at UTC+14 and finishes when 20 March ends at UTC-12. */
    @ParameterizedTest
    @CsvSource({
        "SCHEDULED, 2026-03-09T09:59:59.999Z, SCHEDULED",
        "SCHEDULED, 2026-03-09T10:00:00Z, ACTIVE",
        "SCHEDULED, 2026-03-21T11:59:59.999Z, ACTIVE",
        "SCHEDULED, 2026-03-21T12:00:00Z, FINISHED",
        "ACTIVE, 2026-03-09T09:59:59.999Z, ACTIVE",
        "ACTIVE, 2026-03-20T23:59:59Z, ACTIVE",
        "ACTIVE, 2026-03-21T11:59:59.999Z, ACTIVE",
        "ACTIVE, 2026-03-21T12:00:00Z, FINISHED",
        "INACTIVE, 2026-03-15T00:00:00Z, INACTIVE",
        "INACTIVE, 2027-01-01T00:00:00Z, INACTIVE",
        "FINISHED, 2026-03-15T00:00:00Z, FINISHED",
        "FINISHED, 2026-03-01T00:00:00Z, FINISHED"
    })
    void shouldStartAndFinishByItself(LeaderboardStatus status, Instant now, LeaderboardStatus expected) {
        assertEquals(expected, board(status, LocalDate.of(2026, 3, 20)).statusAt(now));
    }

    @ParameterizedTest
    @CsvSource({"SCHEDULED", "ACTIVE"})
    void shouldNeverFinishWithoutEnd(LeaderboardStatus status) {
        assertEquals(LeaderboardStatus.ACTIVE, board(status, null).statusAt(Instant.parse("9999-12-31T00:00:00Z")));
    }

    @Test
    void shouldBeginInEarliestZoneAndEndInLatestZone() {
        assertEquals(Instant.parse("2026-02-28T10:00:00Z"), Leaderboard.beginning(LocalDate.of(2026, 3, 1)));
        assertEquals(Instant.parse("2026-03-01T12:00:00Z"), Leaderboard.ending(LocalDate.of(2026, 2, 28)));
        assertEquals(Instant.parse("2027-01-01T12:00:00Z"), Leaderboard.ending(LocalDate.of(2026, 12, 31)));
    }

    private static Leaderboard board(LeaderboardStatus status, LocalDate end) {
        return new Leaderboard(
                1,
                new UUID(7, 1),
                "b",
                "b",
                null,
                status,
                new RankBy.StreakLength(),
                LocalDate.of(2026, 3, 10),
                end,
                null,
                null,
                1000,
                List.of(),
                null,
                Instant.EPOCH,
                null,
                null,
                false,
                false,
                null);
    }
}
