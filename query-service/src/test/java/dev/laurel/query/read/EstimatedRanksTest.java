package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.Runs;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks of users beyond the two participants of a leaderboard. */
class EstimatedRanksTest {

    private static final String AT = "2026-03-04T09:00:00Z";

    private final InMemoryUsers users = new InMemoryUsers();
    private final InMemoryLeaderboards boards = new InMemoryLeaderboards();

    @BeforeEach
    void swim() throws BadInputException {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics": {"laps": {}}, "leaderboards": {
              "all": {"rankBy": "metric", "metric": "laps", "status": "active", "maxParticipants": 2}}}\
            """);
        users.now(AT);
        int laps = 100;
        for (String user : List.of("ann", "bo", "cy", "di", "eve")) {
            users.event(user, "laps", laps, AT);
            laps -= 10;
        }
        users.event("fay", "laps", 60, AT);
        users.identify("new", "", AT);
        boards.rank(number("all"), Runs.PERPETUAL, List.of(), "ann 100", "bo 90");
    }

    private int number(String key) {
        return Objects.requireNonNull(users.rulesets().newest(TenantId.NONE).board(key))
                .number();
    }

    private LeaderboardBody read(String user, String key, boolean isEstimated) {
        LocalNode node = users.localNode(boards.partitions());
        return new LeaderboardReads(node, node, users.counts(), users.reads()::today)
                .ofUser(UserKey.of(user), key, null, 0, isEstimated);
    }

    private String estimate(String user) {
        LeaderboardBody leaderboard = read(user, "all", true);
        return leaderboard.rank().orElseThrow().value() + " "
                + leaderboard.estimatedRank().orElseThrow().value() + " "
                + leaderboard.percentile().orElseThrow().value() + " "
                + leaderboard.participants().orElseThrow().value();
    }

    @Test
    void shouldRankUsersBeyondTheParticipants() {
        assertEquals("1 1 83.33 6", estimate("ann"));
        assertEquals("null 3 50.00 6", estimate("cy"));
        assertEquals("null 4 33.33 6", estimate("di"));
        assertEquals("null 5 16.67 6", estimate("eve"));
        assertEquals("null 5 16.67 6", estimate("fay"));
        assertEquals("null null null null", estimate("new"));
    }

    @Test
    void shouldAddNothingUnlessAsked() {
        LeaderboardBody body = read("cy", "all", false);

        assertTrue(body.estimatedRank().isEmpty());
        assertTrue(body.percentile().isEmpty());
        assertTrue(body.participants().isEmpty());
    }

    @Test
    void shouldNotShowASmallerNumberWhileTheCountersAreRead() {
        users.forgetCounts();

        assertThrows(NotReadyException.class, () -> read("cy", "all", true));
    }
}
