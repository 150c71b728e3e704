package dev.laurel.query.read;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reads of the best ranks within a period, at 2026-03-04T09:00Z. */
class BestRanksTest {

    private static final Span YEAR = span("2026-01-01", "2026-12-31");
    private static final List<String> ALL = List.of();

    private final InMemoryLeaderboards boards = new InMemoryLeaderboards();

    private static int day(String date) {
        return Math.toIntExact(LocalDate.parse(date).toEpochDay());
    }

    private static Span span(String first, String last) {
        return new Span(day(first), day(last));
    }

    /** @param rank null if the user did not participate */
    private static DayEnd end(String date, Integer rank) {
        return new DayEnd(day(date), rank, rank == null ? null : BigDecimal.valueOf(100 - rank));
    }

    private List<Map<String, LeaderboardBody>> best(Span... spans) {
        return boards.bestRanks().of(UserKey.of("bo"), day("2026-03-04"), List.of(spans));
    }

    /** The rank, the value and the dates of the history, by key. */
    private static Map<String, String> shown(Map<String, LeaderboardBody> best) {
        var shown = new TreeMap<String, String>();
        best.forEach((key, body) -> shown.put(
                key,
                body.rank().orElseThrow().value() + " with "
                        + body.value().orElseThrow().value() + " "
                        + body.history().orElseThrow().stream()
                                .map(entry -> entry.date().toString().substring(5))
                                .toList()));
        return shown;
    }

    @Test
    void shouldShowTheBestPlaceAtTheEndOfADay() {
        boards.with(board(1, "b"))
                .stay(
                        "bo",
                        1,
                        Runs.PERPETUAL,
                        ALL,
                        end("2026-01-05", 4),
                        end("2026-01-07", 2),
                        end("2026-02-01", 3),
                        end("2026-02-03", 2));
        var best = best(YEAR, span("2026-02-01", "2026-02-07"));

        assertEquals(Map.of("b", "2 with 98 [01-05, 01-07, 02-01, 02-03]"), shown(best.getFirst()));
        assertEquals(Map.of("b", "2 with 98 [02-01, 02-03]"), shown(best.getLast()));
        assertEquals(
                2,
                best.getLast().get("b").history().orElseThrow().getFirst().previousRank(),
                "the first entry shows the place before it");
    }

    @Test
    void shouldFindTheBestPlaceInAnyGroupOfASpreadLeaderboard() {
        boards.with(board(1, "b").by("city").spread());
        for (int city = 0; city < 8; city++) {
            boards.stay("bo", 1, Runs.PERPETUAL, List.of("city-" + city), end("2026-01-0" + (city + 1), 10 - city));
        }

        assertEquals(Map.of("b", "3 with 97 [01-08]"), shown(best(YEAR).getFirst()));
    }

    @Test
    void shouldCountThePlaceAtTheStartOfThePeriod() {
        boards.with(board(1, "b"))
                .stay("bo", 1, Runs.PERPETUAL, ALL, end("2026-01-05", 4), end("2026-01-07", 2), end("2026-02-20", 5));

        assertEquals(
                Map.of("b", "2 with 98 []"),
                shown(best(YEAR, span("2026-02-01", "2026-02-07")).getLast()));
        assertEquals(
                Map.of("b", "2 with 98 [02-20]"),
                shown(best(YEAR, span("2026-02-19", "2026-02-25")).getLast()));
        assertEquals(
                Map.of("b", "5 with 95 []"),
                shown(best(YEAR, span("2026-02-21", "2026-02-25")).getLast()));
        assertEquals(
                Map.of(), shown(best(YEAR, span("2026-01-01", "2026-01-04")).getLast()));
    }

    @Test
    void shouldShowNoPlaceWhileTheUserDidNotTakePart() {
        boards.with(board(1, "b")).stay("bo", 1, Runs.PERPETUAL, ALL, end("2026-01-05", 4), end("2026-01-07", null));

        assertEquals(
                Map.of("b", "4 with 96 [01-07]"),
                shown(best(YEAR, span("2026-01-06", "2026-01-08")).getLast()));
        assertEquals(
                Map.of(), shown(best(YEAR, span("2026-01-08", "2026-01-08")).getLast()));
    }

    @Test
    void shouldCountThePresentPlaceInPeriodsThatContainToday() {
        boards.with(board(1, "b"))
                .stay("bo", 1, Runs.PERPETUAL, ALL, end("2026-03-01", 3))
                .rank(1, Runs.PERPETUAL, ALL, "bo 9", "ann 4");

        assertEquals(Map.of("b", "1 with 9 [03-01]"), shown(best(YEAR).getFirst()));
        assertEquals(
                Map.of("b", "1 with 9 []"),
                shown(best(YEAR, span("2026-03-04", "2026-03-04")).getLast()));
        assertEquals(
                Map.of("b", "3 with 97 []"),
                shown(best(YEAR, span("2026-03-03", "2026-03-03")).getLast()));
    }

    @Test
    void shouldReadEachRunWithADayInThePeriod() {
        boards.with(board(1, "weekly").every(7, RunUnit.DAY))
                .stay("bo", 1, day("2026-01-01"), ALL, end("2026-01-02", 4), end("2026-01-08", 1))
                .stay("bo", 1, day("2026-01-08"), ALL, end("2026-01-08", 3))
                .stay("bo", 1, day("2026-01-15"), ALL, end("2026-01-16", 2));

        assertEquals(
                Map.of("weekly", "1 with 99 [01-02, 01-08]"), shown(best(YEAR).getFirst()));
        assertEquals(
                Map.of("weekly", "2 with 98 [01-16]"),
                shown(best(YEAR, span("2026-01-12", "2026-01-18")).getLast()));
        assertEquals(
                Map.of("weekly", "4 with 96 []"),
                shown(best(YEAR, span("2026-01-03", "2026-01-05")).getLast()),
                "a later place does not count");
        assertEquals(
                Map.of("weekly", "1 with 99 [01-02, 01-08]"),
                shown(best(YEAR, span("2025-12-31", "2026-01-07")).getLast()),
                "all entries of a run within the period count, also that of the next day in UTC");
    }

    @Test
    void shouldShowTheEarliestOfEqualPlaces() {
        boards.with(board(1, "weekly").every(7, RunUnit.DAY))
                .stay("bo", 1, day("2026-01-01"), ALL, new DayEnd(day("2026-01-02"), 1, BigDecimal.TWO))
                .stay("bo", 1, day("2026-01-08"), ALL, new DayEnd(day("2026-01-09"), 1, BigDecimal.TEN));

        assertEquals(Map.of("weekly", "1 with 2 [01-02]"), shown(best(YEAR).getFirst()));
    }

    @Test
    void shouldShowLeaderboardsThatAreActiveOrFinished() {
        boards.with(board(1, "active"))
                .with(board(2, "hidden").status(LeaderboardStatus.INACTIVE))
                .with(board(3, "over").finishedAt("2026-02-01T00:00:00Z"))
                .with(board(4, "next").from("2027-01-01").status(LeaderboardStatus.SCHEDULED))
                .with(board(5, "later").from("2026-02-01"))
                .with(board(6, "earlier").to("2026-01-31"));
        for (int board = 1; board <= 6; board++) {
            boards.stay("bo", board, Runs.PERPETUAL, ALL, end("2026-01-20", board), end("2026-02-05", board + 1));
        }

        assertEquals(
                List.of("active", "earlier", "later", "over"),
                List.copyOf(new TreeMap<>(best(YEAR).getFirst()).keySet()));
        assertEquals(
                List.of("active", "earlier", "over"),
                List.copyOf(new TreeMap<>(
                                best(YEAR, span("2026-01-15", "2026-01-31")).getLast())
                        .keySet()));
    }

    @Test
    void shouldShowTheNewestEntriesOfALongHistory() {
        var ends = new DayEnd[28];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = end("2026-02-%02d".formatted(i + 1), 30 - i);
        }
        boards.with(board(1, "b")).stay("bo", 1, Runs.PERPETUAL, ALL, ends);

        assertEquals(10, best(YEAR).getFirst().get("b").history().orElseThrow().size());
        assertEquals(3, best(YEAR).getFirst().get("b").rank().orElseThrow().value());
    }

    @Test
    void shouldNotBeReadyWhileALeaderboardCannotBeRead() {
        boards.with(board(1, "b")).fallBehind();

        assertThrows(NotReadyException.class, () -> best(YEAR));
    }
}
