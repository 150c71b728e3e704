package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.Runs;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.read.LeaderboardReads.Page;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks of users beyond the two participants of a leaderboard, ranks among given users, and who is shown in them. */
class EstimatedRanksTest {

    private static final String AT = "2026-03-04T09:00:00Z";
    private static final byte[] KEY = new byte[32];

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
        return new LeaderboardReads(node, node, users.counts(), users.reads()::today, () -> KEY)
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

    private String rankings(Page page) {
        LocalNode node = users.localNode(boards.partitions());
        return new LeaderboardReads(node, node, users.counts(), users.reads()::today, () -> KEY)
                .rankings(TenantId.NONE, "all", page).rankings().orElseThrow().stream()
                        .map(RankingBody.class::cast)
                        .map(place -> place.rank() + " " + place.userId() + " " + place.value())
                        .collect(Collectors.joining(", "));
    }

    private String around(String user, int limit) {
        return rankings(new Page(0, limit, null, user, Map.of(), null, new UserId(user), null));
    }

    private String among(String viewer, String... friends) {
        return rankings(new Page(
                0,
                500,
                null,
                null,
                Map.of(),
                Stream.of(friends).map(UserId::new).toList(),
                viewer == null ? null : new UserId(viewer),
                null));
    }

    private void show(String user, Visibility visibility) throws BadInputException {
        users.command(
                user,
                "{\"type\":\"preferences\",\"user\":{\"id\":\"" + user + "\"},\"leaderboards\":{\"visibility\":\""
                        + visibility.name().toLowerCase(Locale.ROOT) + "\"}}",
                AT);
    }

    @Test
    void shouldShowTheUsersBehindTheParticipants() {
        boards.behind(number("all"), Runs.PERPETUAL, List.of(), "cy 80", "di 70", "eve 60", "fay 60");

        assertEquals("2 bo 90", around("bo", 3));
        assertEquals("4 di 70, 5 eve 60", around("di", 2));
        assertEquals("", around("new", 3));
    }

    @Test
    void shouldShowAtLeastTheUserFarBehind() {
        assertEquals("5 fay 60", around("fay", 10));
    }

    /** The leaderboard stores the group of a user with its next commit, but ranks the user at once. */
    @Test
    void shouldFindAUserInTheGroupOfTheLastScore() throws BadInputException {
        users.rules("2026-01-02T00:00:00Z", """
            {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}}}, "leaderboards": {
              "all": {"rankBy": "metric", "metric": "laps", "status": "active", "maxParticipants": 2},
              "cities": {"rankBy": "metric", "metric": "laps", "status": "active", "breakdownAttributes": ["city"]}}}\
            """);
        users.identify("gil", ",\"attributes\":{\"city\":\"Turku\"}", AT);
        users.event("gil", "laps", 7, AT);
        boards.rank(number("cities"), Runs.PERPETUAL, List.of("Turku"), "gil 7").forgetGroups();

        assertEquals(1, read("gil", "cities", false).rank().orElseThrow().value());
    }

    @Test
    void shouldRankGivenUsersAmongThemselves() {
        assertEquals("1 ann 100, 2 cy 80, 3 fay 60", among(null, "fay", "new", "nobody", "cy", "ann", "cy"));
    }

    @Test
    void shouldGiveAnonymousUsersAPseudonym() throws BadInputException {
        boards.rank(number("all"), Runs.PERPETUAL, List.of(), "ann 100 ANONYMOUS", "bo 90");
        show("ann", Visibility.ANONYMOUS);
        var all = new Page(0, 10, null, null, Map.of(), null, null, null);

        assertEquals("1 anonymous-3bf1141117fb2630f994 100, 2 bo 90", rankings(all));
        assertEquals("1 ann 100, 2 bo 90", around("ann", 2));
        assertEquals("1 bo 90", among(null, "ann", "bo"), "whose pseudonym it is would show");
        assertEquals("1 ann 100, 2 bo 90", among("ann", "ann", "bo"));
    }

    @Test
    void shouldShowHiddenUsersToThemselvesOnly() throws BadInputException {
        show("cy", Visibility.HIDDEN);

        assertEquals("1 di 70", among("di", "cy", "di"));
        LeaderboardBody own = read("cy", "all", true);
        assertEquals(new BigDecimal(80), own.value().orElseThrow().value());
        assertEquals(3L, own.estimatedRank().orElseThrow().value());
        assertEquals("null 3 40.00 5", estimate("di"));
    }

    @Test
    void shouldNotShowASmallerNumberWhileTheCountersAreRead() {
        users.forgetCounts();

        assertThrows(NotReadyException.class, () -> read("cy", "all", true));
    }
}
