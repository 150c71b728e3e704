package dev.laurel.query.read;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.leaderboard.Runs;
import dev.laurel.delivery.throttle.NodeReads.NotNow;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeliveryLookupsTest {

    private static final LocalDate START = LocalDate.parse("2026-01-01");

    private final InMemoryLeaderboards boards = new InMemoryLeaderboards();

    private List<RankingBody> ranking(String board, LocalDate run, String... group) throws NotNow {
        return boards.lookups().ranking(TenantId.NONE, board, run, List.of(group));
    }

    @Test
    void shouldShowAllPlacesWithTheirExactValues() throws NotNow {
        boards.with(board(1, "all")).rank(1, Runs.PERPETUAL, List.of(), "ida 30.5", "bob 20", "cem 10");
        boards.showIntegers();

        assertEquals(
                List.of(
                        new RankingBody("ida", "Ida Laine", 1, new BigDecimal("30.5")),
                        new RankingBody("bob", null, 2, new BigDecimal("20")),
                        new RankingBody("cem", null, 3, new BigDecimal("10"))),
                ranking("all", START));
    }

    @Test
    void shouldFindTheRunAndTheGroup() throws NotNow {
        LocalDate second = LocalDate.parse("2026-01-08");
        boards.with(board(1, "weekly").every(7, RunUnit.DAY).by("city"))
                .rank(1, Math.toIntExact(START.toEpochDay()), List.of("Turku"), "ann 1")
                .rank(1, Math.toIntExact(second.toEpochDay()), List.of("Turku"), "bob 2")
                .rank(1, Math.toIntExact(second.toEpochDay()), List.of("Oulu"), "cem 3");

        assertEquals("bob", ranking("weekly", second, "Turku").getFirst().userId());
        assertEquals("cem", ranking("weekly", second, "Oulu").getFirst().userId());
        assertEquals("ann", ranking("weekly", START, "Turku").getFirst().userId());
    }

    @Test
    void shouldShowInactiveLeaderboardsButNotDeletedOnes() throws NotNow {
        boards.with(board(1, "hidden").status(LeaderboardStatus.INACTIVE)).rank(1, Runs.PERPETUAL, List.of(), "ann 1");

        assertEquals(1, ranking("hidden", START).size());
        assertEquals(List.of(), ranking("gone", START));
        assertEquals(List.of(), ranking("hidden", START, "Turku"));
    }

    @Test
    void shouldNotAnswerWhileTheLeaderboardIsNotServed() {
        boards.with(board(1, "all"));
        boards.fallBehind();
        assertThrows(NotNow.class, () -> ranking("all", START));
    }

    @Test
    void shouldNotAnswerWhileTheStoresAreClosed() {
        boards.with(board(1, "all"));
        boards.close();
        assertThrows(NotNow.class, () -> ranking("all", START));
    }

    @Test
    void shouldShowUsersAsTheApiDoes() throws BadInputException, NotNow {
        var users = new InMemoryUsers()
                .rules("2026-03-01T00:00:00Z", "{\"metrics\":{\"laps\":{}}}")
                .identify("ida", ",\"name\":\"Ida Laine\"", "2026-03-02T00:00:00Z")
                .now("2026-03-04T09:00:00Z");
        var lookups = new DeliveryLookups(users.localNode(), users.rulesets());

        assertEquals(Optional.of("Ida Laine"), lookups.user(UserKey.of("ida")).map(UserBody::name));
        assertEquals(Optional.empty(), lookups.user(UserKey.of("nobody")));
    }
}
