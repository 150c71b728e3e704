package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The counts of all users with a value on a leaderboard. */
class ScoreCountersTest {

    private static final String RULES = """
        metrics: {laps: {}}
        attributes: {user: {city: {}}}
        """;
    private static final String AT = "2026-03-04T12:00:00Z";
    private static final int BOARD = 900;
    private static final List<String> ALL = List.of();

    private final Published published = new Published();

    @AutoClose
    private final LedgerDriver ledger = new LedgerDriver(published);

    private Ruleset rules;

    private static TestLeaderboard board() {
        return TestLeaderboard.ofMetric(BOARD, "laps");
    }

    private void rank(TestLeaderboard board) {
        rules = published.add(TestLeaderboard.first(RULES, board));
        ledger.publish(rules, "2026-01-01T00:00:00Z");
    }

    private void change(String at, TestLeaderboard... boards) {
        rules = published.add(TestLeaderboard.on(rules, rules.version() + 1, Instant.parse(at), boards));
        ledger.publish(rules, at);
        ledger.tickUntilQuiet(at);
    }

    private void swim(String user, int laps, String at) {
        ledger.produce(
                user,
                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user + "\"}}",
                at);
    }

    private void move(String user, String city) {
        ledger.produce(
                user,
                "{\"type\":\"identify\",\"user\":{\"id\":\"" + user + "\",\"attributes\":{\"city\":\"" + city + "\"}}}",
                AT);
    }

    /** The users above a value of 10, at it and below it. */
    private String counts(int run, List<String> group) {
        ScoreRanges.Counts counts = ledger.counters().scores(TenantId.NONE, BOARD, run, group, BigDecimal.TEN);
        return counts.above() + " " + counts.within() + " " + counts.below();
    }

    private static int day(String date) {
        return Math.toIntExact(LocalDate.parse(date).toEpochDay());
    }

    @Test
    void shouldCountEachUserAtThePresentValue() {
        rank(board());
        swim("ann", 10, AT);
        swim("bo", 3, AT);
        swim("cy", 30, AT);
        assertEquals("1 1 1", counts(Runs.PERPETUAL, ALL));

        swim("bo", 7, AT);
        swim("cy", -30, AT);
        assertEquals("0 2 0", counts(Runs.PERPETUAL, ALL));

        ledger.produce("ann", "{\"type\":\"erase-user\",\"user\":{\"id\":\"ann\"}}", AT);
        assertEquals("0 1 0", counts(Runs.PERPETUAL, ALL));
    }

    @Test
    void shouldMoveUsersFromGroupToGroup() {
        rank(board().by("city"));
        swim("ann", 10, AT);
        move("ann", "Turku");
        assertEquals("0 1 0", counts(Runs.PERPETUAL, List.of("Turku")));

        move("ann", "Vaasa");
        swim("ann", 1, AT);
        assertEquals("0 0 0", counts(Runs.PERPETUAL, List.of("Turku")));
        assertEquals("1 0 0", counts(Runs.PERPETUAL, List.of("Vaasa")));
    }

    @Test
    void shouldKeepTheRunsThatMayNotBeFinal() {
        rank(board().every(1, RunUnit.DAY));
        swim("ann", 10, AT);
        swim("bo", 10, AT);
        swim("ann", 3, "2026-03-05T12:00:00Z");
        assertEquals("0 2 0", counts(day("2026-03-04"), ALL));
        assertEquals("0 0 1", counts(day("2026-03-05"), ALL));

        swim("ann", 10, "2026-03-08T12:00:00Z");
        assertEquals("0 0 0", counts(day("2026-03-04"), ALL));
        assertEquals("0 0 1", counts(day("2026-03-05"), ALL));
        assertEquals("0 1 0", counts(day("2026-03-08"), ALL));
    }

    @Test
    void shouldKeepTheFirstRunInTheFirstDays() {
        rank(board().from("2026-03-04").every(1, RunUnit.DAY));
        for (String user : List.of("x", "y", "z")) {
            swim(user, 10, AT);
        }
        swim("y", 1, "2026-03-05T12:00:00Z");

        assertEquals("0 3 0", counts(day("2026-03-04"), ALL));
        assertEquals("0 0 1", counts(day("2026-03-05"), ALL));
        swim("y", 1, "2026-03-08T12:00:00Z");
        assertEquals("0 0 0", counts(day("2026-03-04"), ALL));
        assertEquals("0 0 1", counts(day("2026-03-05"), ALL));
    }

    @Test
    void shouldForgetARemovedLeaderboard() {
        rank(board());
        swim("ann", 10, AT);
        swim("bo", 3, AT);
        change("2026-03-05T00:00:00Z", board().being(LeaderboardStatus.INACTIVE));
        assertEquals("0 1 1", counts(Runs.PERPETUAL, ALL));

        change("2026-03-06T00:00:00Z");
        assertEquals("0 0 0", counts(Runs.PERPETUAL, ALL));
    }

    @Test
    void shouldCountTheSameInAReplay() {
        rank(board().every(1, RunUnit.DAY).by("city"));
        for (int i = 0; i < 40; i++) {
            String user = "user-" + i % 7;
            move(user, i % 3 == 0 ? "Turku" : "Vaasa");
            swim(user, 1 + i * i, "2026-03-" + (10 + i / 5) + "T1" + i % 9 + ":00:00Z");
        }
        try (var replay = new LedgerDriver(published)) {
            for (Logged record : ledger.log()) {
                replay.pipe(record);
            }
            assertEquals(ledger.contents().get("counters"), replay.contents().get("counters"));
        }
    }
}
