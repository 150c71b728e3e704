package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LeaderboardScheduleTest {

    private static long ms(String at) {
        return Instant.parse(at).toEpochMilli();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-04T00:00:00Z, 2026-03-04T10:00:00Z",
        "2026-03-04T09:59:59.999Z, 2026-03-04T10:00:00Z",
        "2026-03-04T10:00:00Z, 2026-03-04T12:00:00Z",
        "2026-03-04T11:59:59.999Z, 2026-03-04T12:00:00Z",
        "2026-03-04T12:00:00Z, 2026-03-05T00:00:00Z",
        "2026-12-31T23:59:59.999Z, 2027-01-01T00:00:00Z",
        "1969-12-31T10:00:00Z, 1969-12-31T12:00:00Z",
        "1969-12-31T23:59:59.999Z, 1970-01-01T00:00:00Z"
    })
    void shouldFindTheNextMomentOfTheDay(String clock, String next) {
        assertEquals(Instant.parse(next), Instant.ofEpochMilli(LeaderboardSchedule.after(ms(clock))));
    }

    @Test
    void shouldBeDueAtOnceForAClockThatWasNeverSet() {
        assertEquals(LeaderboardSchedule.NEVER_SET, LeaderboardSchedule.after(LeaderboardSchedule.NEVER_SET));
    }

    @Test
    void shouldHaveEveryMomentAtWhichADayOfALeaderboardBeginsOrEnds() {
        for (LocalDate date = LocalDate.of(2024, 2, 27);
                date.isBefore(LocalDate.of(2024, 3, 3));
                date = date.plusDays(1)) {
            assertIsMoment(Leaderboard.beginning(date));
            assertIsMoment(Leaderboard.ending(date));
            assertIsMoment(date.atStartOfDay().toInstant(ZoneOffset.UTC));
        }
    }

    private static void assertIsMoment(Instant at) {
        assertEquals(at.toEpochMilli(), LeaderboardSchedule.after(at.toEpochMilli() - 1));
    }

    @ParameterizedTest
    @EnumSource(LeaderboardStatus.class)
    void shouldNotConcernALeaderboardThatIsOver(LeaderboardStatus status) {
        Leaderboard board = TestLeaderboard.ofMetric(1, "laps")
                .being(status)
                .to("2026-03-04")
                .build();

        assertTrue(LeaderboardSchedule.changesUntil(board) <= ms("2026-03-05T12:00:00Z"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LeaderboardStatus.class,
            names = {"SCHEDULED", "ACTIVE"})
    void shouldConcernALeaderboardUntilItsEndIsOverEverywhere(LeaderboardStatus status) {
        Leaderboard board = TestLeaderboard.ofMetric(1, "laps")
                .being(status)
                .to("2026-03-04")
                .build();

        assertTrue(LeaderboardSchedule.changesUntil(board) > ms("2026-03-05T11:59:59.999Z"));
        assertEquals(
                Long.MAX_VALUE,
                LeaderboardSchedule.changesUntil(
                        TestLeaderboard.ofMetric(1, "laps").being(status).build()));
    }

    @Test
    void shouldNotConcernALeaderboardWhileItIsInactive() {
        Leaderboard board = TestLeaderboard.ofMetric(1, "laps").build();

        assertTrue(LeaderboardSchedule.changesUntil(with(board, LeaderboardStatus.INACTIVE, null, null)) <= 0);
        assertTrue(LeaderboardSchedule.changesUntil(with(board, LeaderboardStatus.SCHEDULED, null, null)) > 0);
    }

    @Test
    void shouldConcernALeaderboardFinishedByHandUntilThatDayIsOver() {
        Leaderboard board = with(
                TestLeaderboard.ofMetric(1, "laps").build(),
                LeaderboardStatus.FINISHED,
                Instant.EPOCH,
                Instant.parse("2026-03-04T15:00:00Z"));

        assertTrue(LeaderboardSchedule.changesUntil(board) > ms("2026-03-04T23:59:59.999Z"));
        assertTrue(LeaderboardSchedule.changesUntil(board) <= ms("2026-03-05T00:00:00Z"));
    }

    private static Leaderboard with(Leaderboard b, LeaderboardStatus status, Instant activated, Instant finished) {
        return new Leaderboard(
                b.number(),
                b.id(),
                b.key(),
                b.name(),
                b.description(),
                status,
                b.rankBy(),
                b.start(),
                b.end(),
                b.startTime(),
                b.endTime(),
                b.maxParticipants(),
                b.breakdownAttributes(),
                b.runs(),
                b.created(),
                activated,
                finished,
                false,
                false,
                null);
    }
}
