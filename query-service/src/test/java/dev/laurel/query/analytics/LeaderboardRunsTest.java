package dev.laurel.query.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaderboardRunsTest {

    /** The next date begins at 10:00 UTC in the first time zone. */
    private static final String BEFORE_TOMORROW = "2026-03-04T09:59:59Z";

    private static final String AFTER_TOMORROW = "2026-03-04T10:00:00Z";

    private static LeaderboardRules daily(LeaderboardStatus status, String start, String finished) {
        return new LeaderboardRules(new Leaderboard(
                1,
                new UUID(0, 1),
                "daily",
                "Daily",
                null,
                status,
                new RankBy.MetricTotal("laps"),
                LocalDate.parse(start),
                null,
                null,
                null,
                1_000,
                List.of(),
                new RunLength(RunLength.RunUnit.DAY, 1),
                Instant.EPOCH,
                Instant.EPOCH,
                finished == null ? null : Instant.parse(finished),
                false,
                false,
                null));
    }

    private static LeaderboardRuns at(String now, LeaderboardRules... boards) {
        return new LeaderboardRuns(Arrays.asList(boards), Instant.parse(now));
    }

    private static List<String> between(LeaderboardRuns runs, String first, String last) {
        return runs.between(day(first), day(last)).stream()
                .map(run -> run.first().toString())
                .toList();
    }

    private static int day(String date) {
        return (int) LocalDate.parse(date).toEpochDay();
    }

    @Test
    void shouldListRunsThatHaveBegunAnywhereNewestFirst() {
        LeaderboardRules board = daily(LeaderboardStatus.ACTIVE, "2026-01-01", null);

        assertEquals(
                List.of("2026-03-04", "2026-03-03"), between(at(BEFORE_TOMORROW, board), "2026-03-03", "2026-03-09"));
        assertEquals(
                List.of("2026-03-05", "2026-03-04", "2026-03-03"),
                between(at(AFTER_TOMORROW, board), "2026-03-03", "2026-03-09"));
        assertEquals(List.of(), between(at(AFTER_TOMORROW, board), "2025-12-01", "2025-12-31"));
    }

    @Test
    void shouldListNoRunsThatALeaderboardDidNotReachOrDoesNotShow() {
        assertEquals(
                List.of("2026-02-10", "2026-02-09"),
                between(
                        at(AFTER_TOMORROW, daily(LeaderboardStatus.FINISHED, "2026-01-01", "2026-02-10T09:00:00Z")),
                        "2026-02-09",
                        "2026-03-04"));
        assertEquals(
                List.of(),
                between(
                        at(
                                AFTER_TOMORROW,
                                daily(LeaderboardStatus.INACTIVE, "2026-01-01", null),
                                daily(LeaderboardStatus.SCHEDULED, "2026-03-06", null)),
                        "2026-01-01",
                        "2026-03-09"));
    }

    @Test
    void shouldRefuseMoreRunsThanAReportMayHave() {
        LeaderboardRuns runs = at(BEFORE_TOMORROW, daily(LeaderboardStatus.ACTIVE, "2020-01-01", null));

        assertEquals(366, between(runs, "2025-03-04", "2026-03-04").size());
        Refused refused = assertThrows(Refused.class, () -> between(runs, "2025-03-03", "2026-03-04"));
        assertEquals(
                "from and to must include at most 366 runs: give fewer days, a leaderboard or a run.",
                refused.getMessage());
    }

    @Test
    void shouldFindTheRunOfADateAndSayWhichExist() {
        LeaderboardRuns runs = at(BEFORE_TOMORROW, daily(LeaderboardStatus.ACTIVE, "2026-03-01", null));

        assertEquals(
                LocalDate.parse("2026-03-04"),
                runs.on(LocalDate.parse("2026-03-04")).getFirst().first());
        Refused refused = assertThrows(Refused.class, () -> runs.on(LocalDate.parse("2026-03-05")));
        assertEquals(
                "run must be a date in a run that has begun, from 2026-03-01 to 2026-03-04.", refused.getMessage());
    }
}
