package dev.laurel.core.leaderboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RunsTest {

    @Test
    void shouldListTheRunsBetweenTwoDatesNewestFirst() {
        var weekly = new Runs(
                board(LocalDate.parse("2026-03-02"), LocalDate.parse("2026-03-20"), new RunLength(RunUnit.DAY, 7)));

        assertEquals(List.of("2026-03-16", "2026-03-09"), between(weekly, "2026-03-15", "2026-03-16", 9));
        assertEquals(List.of("2026-03-16", "2026-03-09", "2026-03-02"), between(weekly, "2025-01-01", "2027-01-01", 9));
        assertEquals(List.of("2026-03-16", "2026-03-09"), between(weekly, "2025-01-01", "2027-01-01", 2));
        assertEquals(List.of(), between(weekly, "2026-03-21", "2027-01-01", 9));
        assertEquals(List.of(), between(weekly, "2025-01-01", "2026-03-01", 9));
        var perpetual = new Runs(board(LocalDate.parse("2026-03-02"), null, null));
        assertEquals(
                List.of(Runs.PERPETUAL), perpetual.between(day(LocalDate.parse("2026-03-01")), Integer.MAX_VALUE, 9));
    }

    private static List<String> between(Runs runs, String first, String last, int limit) {
        return runs.between(day(LocalDate.parse(first)), day(LocalDate.parse(last)), limit).stream()
                .map(run -> runs.firstDateOf(run).toString())
                .toList();
    }

    @Test
    void shouldFindWhenTheNextRunBegins() {
        var random = new Random(7);
        for (int i = 0; i < 200; i++) {
            LocalDate start = LocalDate.parse("2026-01-01").plusDays(random.nextInt(90));
            LocalDate end = random.nextBoolean() ? null : start.plusDays(random.nextInt(100));
            RunLength length = random.nextInt(4) == 0
                    ? null
                    : new RunLength(RunUnit.values()[random.nextInt(2)], 1 + random.nextInt(3));
            var runs = new Runs(board(start, end, length));
            long nowMs = Instant.parse("2025-12-20T10:00:00Z")
                    .plusSeconds(random.nextInt(150 * 86_400))
                    .toEpochMilli();

            assertEquals(
                    nextBeginning(runs, nowMs),
                    runs.nextBeginningMs(nowMs),
                    start + " to " + end + ", " + length + ", at " + Instant.ofEpochMilli(nowMs));
        }
    }

    /** Looks at the beginning of each of the next dates. */
    private static long nextBeginning(Runs runs, long nowMs) {
        int present = runs.runBegunBy(nowMs);
        LocalDate today = LocalDate.ofEpochDay(Math.floorDiv(nowMs, 86_400_000L));
        for (int days = 0; days < 400; days++) {
            long atMs = Leaderboard.beginning(today.plusDays(days)).toEpochMilli();
            int run = runs.runBegunBy(atMs);
            if (atMs > nowMs && run != Runs.NONE && run != present) {
                return atMs;
            }
        }
        return Long.MAX_VALUE;
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-03T23:59:59Z, 2026-03-04",
        "2026-03-04T00:00:00Z, 2026-03-04",
        "2026-03-05T23:59:59Z, 2026-03-05",
        "2026-03-06T11:59:59Z, 2026-03-05",
        "2020-01-01T00:00:00Z, 2026-03-04"
    })
    void shouldFindTheDayOfAMomentInARun(Instant at, LocalDate date) {
        var runs = new Runs(board(LocalDate.parse("2026-03-02"), null, new RunLength(RunUnit.DAY, 2)));

        assertEquals(day(date), runs.dayIn(day(LocalDate.parse("2026-03-04")), at.toEpochMilli()));
    }

    @Test
    void shouldNotEndTheDaysOfARunWithoutEnd() {
        var runs = new Runs(board(LocalDate.parse("2026-03-02"), null, null));

        assertEquals(
                day(LocalDate.parse("2036-03-02")),
                runs.dayIn(Runs.PERPETUAL, Instant.parse("2036-03-02T10:00:00Z").toEpochMilli()));
    }

    /** A date, and the first and the last date of its run. */
    @ParameterizedTest
    @CsvFileSource(resources = "RunsTest.shouldFindTheRunOfADate.csv")
    void shouldFindTheRunOfADate(
            RunUnit unit, int interval, LocalDate start, LocalDate date, LocalDate first, LocalDate last) {
        var runs = new Runs(board(start, null, new RunLength(unit, interval)));
        int run = runs.runOf(day(date));

        assertEquals(first, runs.firstDateOf(run));
        assertEquals(last, runs.lastDateOf(run));
        assertEquals(day(first), run);
    }

    @ParameterizedTest
    @EnumSource(RunUnit.class)
    void shouldFindNoRunBeforeTheStartOrAfterTheEnd(RunUnit unit) {
        LocalDate start = LocalDate.of(2026, 1, 31);
        LocalDate end = LocalDate.of(2028, 3, 3);
        var runs = new Runs(board(start, end, new RunLength(unit, 1)));

        assertEquals(Runs.NONE, runs.runOf(day(start) - 1));
        assertEquals(day(start), runs.runOf(day(start)));
        assertEquals(end, runs.lastDateOf(runs.runOf(day(end))));
        assertEquals(Runs.NONE, runs.runOf(day(end) + 1));
    }

    @Test
    void shouldCutTheLastRunAtTheEnd() {
        var runs =
                new Runs(board(LocalDate.of(2026, 1, 31), LocalDate.of(2026, 3, 10), new RunLength(RunUnit.MONTH, 1)));
        int cut = runs.runOf(day(LocalDate.of(2026, 3, 10)));

        assertEquals(LocalDate.of(2026, 2, 28), runs.firstDateOf(cut));
        assertEquals(LocalDate.of(2026, 3, 10), runs.lastDateOf(cut));
        assertEquals(LocalDate.of(2026, 2, 27), runs.lastDateOf(runs.runOf(day(LocalDate.of(2026, 2, 27)))));
    }

    @Test
    void shouldHaveOneRunIfItNeverStartsAnew() {
        LocalDate start = LocalDate.of(2026, 3, 4);
        LocalDate end = LocalDate.of(2026, 3, 31);
        var runs = new Runs(board(start, end, null));

        assertEquals(Runs.NONE, runs.runOf(day(start) - 1));
        assertEquals(Runs.PERPETUAL, runs.runOf(day(start)));
        assertEquals(Runs.PERPETUAL, runs.runOf(day(end)));
        assertEquals(Runs.NONE, runs.runOf(day(end) + 1));
        assertEquals(start, runs.firstDateOf(Runs.PERPETUAL));
        assertEquals(end, runs.lastDateOf(Runs.PERPETUAL));
    }

    @Test
    void shouldNeverBeFinalWithoutEnd() {
        var runs = new Runs(board(LocalDate.of(2026, 3, 4), null, null));

        assertNull(runs.lastDateOf(Runs.PERPETUAL));
        assertEquals(Long.MAX_VALUE, runs.finalMsOf(Runs.PERPETUAL));
        assertEquals(Runs.PERPETUAL, runs.runOf(day(LocalDate.of(9999, 12, 31))));
    }

    /** The 4th begins at UTC+14, and the 10th is over at UTC-12. */
    @Test
    void shouldBeginAndBecomeFinalSomewhereOnEarth() {
        var runs = new Runs(board(LocalDate.of(2026, 3, 4), null, new RunLength(RunUnit.DAY, 7)));
        int run = runs.runOf(day(LocalDate.of(2026, 3, 6)));

        assertEquals(Instant.parse("2026-03-03T10:00:00Z"), Instant.ofEpochMilli(runs.beginningMsOf(run)));
        assertEquals(Instant.parse("2026-03-11T12:00:00Z"), Instant.ofEpochMilli(runs.finalMsOf(run)));
    }

    /** Each run starts a whole number of steps after the start and ends on the day before the next run. */
    @ParameterizedTest
    @EnumSource(RunUnit.class)
    void shouldCoverTheCalendarWithRuns(RunUnit unit) {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            LocalDate start = LocalDate.ofEpochDay(random.nextInt(-20_000, 40_000));
            int interval = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
            var runs = new Runs(board(start, null, new RunLength(unit, interval)));
            String where = "seed " + seed + ": every " + interval + " " + unit + " from " + start;
            LocalDate date = start;
            for (long k = 0; k < 30; k++) {
                LocalDate first = plus(start, unit, k * interval);
                LocalDate next = plus(start, unit, (k + 1) * interval);
                int run = day(first);
                assertEquals(first, date, where);
                assertEquals(next.minusDays(1), runs.lastDateOf(run), where);
                for (int i = 0; i < 40; i++) {
                    int within = random.nextInt(run, day(next));
                    assertEquals(run, runs.runOf(within), () -> where + ", " + LocalDate.ofEpochDay(within));
                }
                assertEquals(run, runs.runOf(run), where);
                assertEquals(run, runs.runOf(day(next) - 1), where);
                assertEquals(day(next), runs.runOf(day(next)), where);
                assertTrue(runs.beginningMsOf(run) < runs.finalMsOf(run), where);
                date = runs.lastDateOf(run).plusDays(1);
            }
        }
    }

    private static LocalDate plus(LocalDate start, RunUnit unit, long steps) {
        return switch (unit) {
            case DAY -> start.plusDays(steps);
            case MONTH -> start.plusMonths(steps);
            case YEAR -> start.plusYears(steps);
        };
    }

    private static int day(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    private static Leaderboard board(LocalDate start, LocalDate end, RunLength runs) {
        return new Leaderboard(
                1,
                new UUID(7, 1),
                "b",
                "b",
                null,
                LeaderboardStatus.ACTIVE,
                new RankBy.MetricTotal("m"),
                start,
                end,
                null,
                null,
                1000,
                List.of(),
                runs,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                false,
                false,
                null);
    }
}
