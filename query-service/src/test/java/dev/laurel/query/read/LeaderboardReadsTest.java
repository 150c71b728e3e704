package dev.laurel.query.read;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.read.LeaderboardReads.Page;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.LeaderboardBody.TeamBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads at 2026-03-04T09:00Z of leaderboards with at most three participants. */
class LeaderboardReadsTest {

    private static final Map<String, String> EVERYBODY = Map.of();
    private static final List<String> ALL = List.of();

    private final InMemoryLeaderboards boards = new InMemoryLeaderboards();

    private static Page page(int offset, int limit) {
        return new Page(offset, limit, null, null, EVERYBODY, null, null, null);
    }

    private static Page in(Map<String, String> attributes) {
        return new Page(0, 10, null, null, attributes, null, null, null);
    }

    private static Page at(String run) {
        return new Page(0, 10, LocalDate.parse(run), null, EVERYBODY, null, null, null);
    }

    private LeaderboardBody found(String key, Page page) {
        return boards.reads().rankings(TenantId.NONE, key, page);
    }

    private LeaderboardBody ofUser(String user, String key, String run, int days) {
        return boards.reads()
                .ofUser(
                        new UserKey(TenantId.NONE, new UserId(user)),
                        key,
                        run == null ? null : LocalDate.parse(run),
                        days,
                        false);
    }

    private Refusal refused(String key, Page page) {
        return refusal(() -> boards.reads().rankings(TenantId.NONE, key, page));
    }

    private static Refusal refusal(Executable read) {
        return assertThrows(Refused.class, read).refusal();
    }

    private static String places(LeaderboardBody body) {
        return body.rankings().orElseThrow().stream()
                .map(place -> switch (place) {
                    case RankingBody(String user, var _, int rank, BigDecimal value) -> rank + " " + user + " " + value;
                    case TeamBody(String id, String name, String team, int members, BigDecimal value, int rank) ->
                        rank + " " + team + " of " + members + " " + value;
                })
                .collect(Collectors.joining(", "));
    }

    private static int day(String date) {
        return Math.toIntExact(LocalDate.parse(date).toEpochDay());
    }

    // The list.

    private String listed(boolean includeFinished) {
        return boards.reads().all(TenantId.NONE, includeFinished).stream()
                .map(body -> body.key() + " " + body.status())
                .collect(Collectors.joining(", "));
    }

    @Test
    void shouldListVisibleLeaderboardsOldestFirst() {
        boards.with(board(1, "young").created("2026-02-02T00:00:00Z"))
                .with(board(2, "old").created("2026-01-02T00:00:00Z"))
                .with(board(3, "hidden").status(LeaderboardStatus.INACTIVE))
                .with(board(4, "planned")
                        .from("2026-04-01")
                        .status(LeaderboardStatus.SCHEDULED)
                        .created("2026-01-03T00:00:00Z"))
                .with(board(5, "over").to("2026-03-02").created("2026-01-04T00:00:00Z"));

        assertEquals("old active, planned scheduled, young active", listed(false));
        assertEquals("old active, planned scheduled, over finished, young active", listed(true));
    }

    @Test
    void shouldShowTheStatusAsOfNow() {
        boards.with(board(1, "begun").from("2026-03-05").status(LeaderboardStatus.SCHEDULED))
                .with(board(2, "ending").to("2026-03-03"));
        assertEquals("begun scheduled, ending active", listed(true));

        boards.now("2026-03-04T12:00:00Z");

        assertEquals("begun active, ending finished", listed(true));
    }

    // Places.

    @Test
    void shouldShowPlacesInOrder() {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4", "ida 7.5", "bo 4");

        assertEquals("1 ida 7.5, 2 ann 4, 3 bo 4", places(found("b", page(0, 10))));
        assertEquals(
                List.of(new RankingBody("ida", "Ida Laine", 1, new BigDecimal("7.5"))),
                found("b", page(0, 1)).rankings().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "0,2,'1 ann 4, 2 bo 3'",
        "1,1,'2 bo 3'",
        "2,10,'3 cy 2'",
        "3,10,''",
        "0,0,''",
        "2147483647,2147483647,''",
        "0,2147483647,'1 ann 4, 2 bo 3, 3 cy 2'"
    })
    void shouldShowOnlyTheRequestedPlaces(int offset, int limit, String places) {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4", "bo 3", "cy 2");

        assertEquals(places, places(found("b", page(offset, limit))));
    }

    @Test
    void shouldShowPlacesFromThatOfAUser() {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4", "bo 3", "cy 2");

        assertEquals("2 bo 3, 3 cy 2", places(found("b", new Page(0, 10, null, "bo", EVERYBODY, null, null, null))));
        assertEquals("3 cy 2", places(found("b", new Page(1, 10, null, "bo", EVERYBODY, null, null, null))));
        assertEquals(
                "",
                places(found("b", new Page(0, 10, null, "", EVERYBODY, null, null, null))),
                "an empty id is unknown");
    }

    @Test
    void shouldTreatInactiveLeaderboardsAsUnknown() {
        boards.with(board(1, "hidden").status(LeaderboardStatus.INACTIVE));

        assertEquals(Refusal.unknown("leaderboard", "hidden"), refused("hidden", page(0, 10)));
        assertEquals(Refusal.unknown("leaderboard", "b"), refused("b", page(0, 10)));
        assertEquals(404, refused("b", page(0, 10)).kind().status());
    }

    @Test
    void shouldShowNoPlacesOfAScheduledLeaderboard() {
        boards.with(board(1, "b").from("2026-04-01").every(7, RunUnit.DAY).status(LeaderboardStatus.SCHEDULED));
        boards.close();

        assertEquals("", places(found("b", page(0, 10))));
        assertEquals("", places(found("b", at("2026-04-07"))));
        assertEquals(Refusal.unknownRun("b", LocalDate.parse("2026-04-08")), refused("b", at("2026-04-08")));
        assertEquals(Refusal.unknownRun("b", LocalDate.parse("2026-03-31")), refused("b", at("2026-03-31")));
    }

    /** Groups of both partitions. */
    private static final List<List<String>> PLACES = List.of(
            List.of("Turku", "swim"),
            List.of("Turku", "run"),
            List.of("Oulu", "run"),
            List.of("Oulu", "ski"),
            List.of("Turku", "ski"));

    private void fillBoth() {
        boards.with(board(1, "one").by("city", "club"))
                .with(board(2, "spread").by("city", "club").spread());
        for (int i = 0; i < PLACES.size(); i++) {
            for (int number = 1; number <= 2; number++) {
                boards.rank(number, Runs.PERPETUAL, PLACES.get(i), "ann" + i + " " + (9 - i), "bo" + i + " " + i);
            }
        }
    }

    private static Page ofTeam(String team, Map<String, String> attributes) {
        return new Page(0, 10, null, null, attributes, null, null, team);
    }

    private static Team team(String name, int members, String value) {
        return new Team(name, members, new BigDecimal(value), 7);
    }

    @Test
    void shouldRankTeamsAndTheMembersOfEach() {
        boards.with(board(1, "b").inTeamsBy("club"))
                .teams(1, Runs.PERPETUAL, ALL, team("Otters", 2, "9.5"), team("Seals", 3, "4"), team("Orcas", 1, "4"))
                .rank(1, Runs.PERPETUAL, List.of("Otters"), "ann 5.5", "bo 4")
                .rank(1, Runs.PERPETUAL, List.of("Seals"), "cy 2", "dee 1", "eve 1");

        assertEquals("1 Otters of 2 9.5, 2 Orcas of 1 4, 3 Seals of 3 4", places(found("b", page(0, 10))));
        assertEquals("2 Orcas of 1 4", places(found("b", page(1, 1))));
        assertEquals("", places(found("b", page(Integer.MAX_VALUE, Integer.MAX_VALUE))));
        assertEquals("1 ann 5.5, 2 bo 4", places(found("b", ofTeam("Otters", EVERYBODY))));
        assertEquals("2 bo 4", places(found("b", new Page(0, 5, null, "bo", EVERYBODY, null, null, "Otters"))));
        assertEquals("", places(found("b", ofTeam("Newts", EVERYBODY))), "an unknown team");
        boards.showIntegers();
        assertEquals("1 Otters of 2 9", places(found("b", page(0, 1))));
    }

    @Test
    void shouldRankTheTeamsOfAGroup() {
        boards.with(board(1, "b").by("city").inTeamsBy("club"))
                .teams(1, Runs.PERPETUAL, List.of("Turku"), team("Otters", 1, "3"))
                .rank(1, Runs.PERPETUAL, List.of("Turku", "Otters"), "ann 3")
                .rank(1, Runs.PERPETUAL, List.of("Oulu", "Otters"), "bo 4");

        assertEquals("1 Otters of 1 3", places(found("b", in(Map.of("city", "Turku")))));
        assertEquals("", places(found("b", in(Map.of("city", "Rome")))));
        assertEquals("1 ann 3", places(found("b", ofTeam("Otters", Map.of("city", "Turku")))));
        assertEquals(
                "userAttributes is required, with values of one or more of: city.",
                refused("b", ofTeam("Otters", EVERYBODY)).message());
        assertEquals(
                "userAttributes has the key 'club', must be one of: city.",
                refused("b", in(Map.of("club", "Otters"))).message());
    }

    @Test
    void shouldMergeTheMembersOfATeamButNotTeams() {
        boards.with(board(1, "b").by("city", "plan").inTeamsBy("club"))
                .rank(1, Runs.PERPETUAL, List.of("Turku", "pro", "Otters"), "ann 3")
                .rank(1, Runs.PERPETUAL, List.of("Turku", "free", "Otters"), "cy 5")
                .rank(1, Runs.PERPETUAL, List.of("Turku", "free", "Seals"), "dee 9");

        assertEquals("1 cy 5, 2 ann 3", places(found("b", ofTeam("Otters", Map.of("city", "Turku")))));
        assertEquals(
                "userAttributes must have a value of each of: city, plan. The teams of each group have a ranking of their own.",
                refused("b", in(Map.of("city", "Turku"))).message());
    }

    @Test
    void shouldRefuseWhatTeamsDoNotHave() {
        boards.with(board(1, "users")).with(board(2, "teams").inTeamsBy("club"));
        boards.teams(
                2,
                Runs.PERPETUAL,
                ALL,
                IntStream.rangeClosed(0, TeamRanking.MAX_TEAMS)
                        .mapToObj(i -> team("t" + i, 1, "1"))
                        .toArray(Team[]::new));

        assertEquals(
                "team must not be given: the leaderboard 'users' has no teams.",
                refused("users", ofTeam("Otters", EVERYBODY)).message());
        assertEquals(
                "userId must not be given without team: the leaderboard 'teams' ranks teams, and the members of each.",
                refused("teams", new Page(0, 5, null, "ann", EVERYBODY, null, null, null))
                        .message());
        assertEquals(
                "The leaderboard 'teams' has more than 10000 teams, which is the most that are ranked. Name a team.",
                refused("teams", page(0, 10)).message());
    }

    @Test
    void shouldShowTheTeamOfAUser() throws BadInputException {
        String at = "2026-03-04T09:00:00Z";
        var users = new InMemoryUsers();
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics": {"laps": {}}, "attributes": {"user": {"club": {}}}, "leaderboards": {"b":
              {"rankBy": "metric", "metric": "laps", "status": "active", "teams": {"attribute": "club", "score": "sum"}}}}\
            """);
        users.now(at);
        users.identify("ann", ",\"attributes\":{\"club\":\"Otters\"}", at);
        users.event("ann", "laps", 5, at);
        users.event("eve", "laps", 5, at);
        int number = users.rulesets().newest(TenantId.NONE).board("b").number();
        boards.with(board(number, "b").inTeamsBy("club"));
        LocalNode node = users.localNode(boards.partitions());
        var reads = new LeaderboardReads(node, node, users.counts(), users.reads()::today, () -> null);

        assertEquals(
                "Otters null null",
                teamOf(reads.ofUser(UserKey.of("ann"), "b", null, 10, false)),
                "a user beyond the participants of a team that is not ranked");
        assertEquals("null null null", teamOf(reads.ofUser(UserKey.of("eve"), "b", null, 10, false)));
        boards.rank(number, Runs.PERPETUAL, List.of("Otters"), "bo 9", "ann 5")
                .teams(number, Runs.PERPETUAL, ALL, team("Seals", 1, "99"), team("Otters", 2, "14"));
        LeaderboardBody body = reads.ofUser(UserKey.of("ann"), "b", null, 10, false);
        assertEquals("Otters 2 14", teamOf(body));
        assertEquals(2, body.rank().orElseThrow().value());
    }

    @Test
    void shouldShowTheTeamsOfAllRunsOfAUser() {
        boards.with(board(1, "b").from("2026-02-22").every(7, RunUnit.DAY).inTeamsBy("club"))
                .rank(1, day("2026-03-01"), List.of("Otters"), "ann 5", "bo 4")
                .rank(1, day("2026-02-22"), List.of("Seals"), "ann 2")
                .teams(1, day("2026-03-01"), ALL, team("Seals", 1, "9"), team("Otters", 2, "4.5"));

        assertEquals(
                List.of("Seals null null", "Otters 2 4.5"),
                boards.reads().runsOf(UserKey.of("ann")).stream()
                        .map(run -> teamOf(run.leaderboard()))
                        .toList());
    }

    private static String teamOf(LeaderboardBody body) {
        return body.team().orElseThrow().value() + " "
                + body.teamRank().orElseThrow().value() + " "
                + body.teamValue().orElseThrow().value();
    }

    @Test
    void shouldMergeTheGroupsOfASpreadLeaderboard() {
        fillBoth();
        for (Map<String, String> attributes : List.of(
                Map.of("city", "Turku"),
                Map.of("club", "run"),
                Map.of("city", "Oulu", "club", "ski"),
                Map.of("city", "Rome"))) {
            assertEquals(places(found("one", in(attributes))), places(found("spread", in(attributes))));
        }
        assertEquals("1 ann0 9, 2 ann1 8, 3 ann4 5", places(found("spread", in(Map.of("city", "Turku")))));
    }

    @Test
    void shouldFindTheGroupOfAUserOnASpreadLeaderboard() {
        fillBoth();
        for (int i = 0; i < PLACES.size(); i++) {
            assertEquals(
                    List.of("one 1", "spread 1"),
                    boards.reads().runsOf(UserKey.of("ann" + i)).stream()
                            .map(run -> run.leaderboard().key() + " "
                                    + run.leaderboard().rank().orElseThrow().value())
                            .toList());
        }
        assertEquals(List.of(), boards.reads().runsOf(UserKey.of("nobody")));
    }

    @Test
    void shouldReadTheUsersGroupOfASpreadLeaderboard() throws BadInputException {
        LeaderboardBody read = annOfSpreadLeaderboard("bo 7", "ann 5");

        assertEquals(2, read.rank().orElseThrow().value());
        assertEquals(new BigDecimal("5"), read.value().orElseThrow().value());
    }

    @Test
    void shouldShowTheHistoryOfAUserBeyondTheParticipantsOfASpreadLeaderboard() throws BadInputException {
        boards.dayEnds("ann", new DayEnd(day("2026-03-03"), 1, new BigDecimal("4")));

        LeaderboardBody read = annOfSpreadLeaderboard("bo 7");

        assertNull(read.rank().orElseThrow().value());
        assertEquals(1, read.history().orElseThrow().size());
    }

    /** @param inTurku the participants of her group */
    private LeaderboardBody annOfSpreadLeaderboard(String... inTurku) throws BadInputException {
        var users = new InMemoryUsers();
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}}}, "leaderboards": {"spread":
              {"rankBy": "metric", "metric": "laps", "status": "active", "breakdownAttributes": ["city"],
               "spreadGroups": true}}}\
            """);
        String at = "2026-03-04T09:00:00Z";
        users.now(at);
        users.identify("ann", ",\"attributes\":{\"city\":\"Turku\"}", at);
        users.event("ann", "laps", 5, at);
        int number = users.rulesets().newest(TenantId.NONE).board("spread").number();
        boards.with(board(number, "spread").by("city").spread())
                .rank(number, Runs.PERPETUAL, List.of("Turku"), inTurku)
                .rank(number, Runs.PERPETUAL, List.of("Oulu"), "ann 1");
        LocalNode node = users.localNode(boards.partitions());

        return new LeaderboardReads(node, node, users.counts(), users.reads()::today, () -> null)
                .ofUser(UserKey.of("ann"), "spread", null, 10, false);
    }

    // Runs.

    @Test
    void shouldShowTheRunOfTodayInUtc() {
        boards.with(board(1, "b").from("2026-03-01").every(1, RunUnit.DAY))
                .rank(1, day("2026-03-03"), ALL, "ann 4")
                .rank(1, day("2026-03-04"), ALL, "bo 3")
                .rank(1, day("2026-03-05"), ALL, "cy 2");

        assertEquals("1 bo 3", places(found("b", page(0, 10))));
        assertEquals("1 ann 4", places(found("b", at("2026-03-03"))));
        assertEquals(Refusal.unknownRun("b", LocalDate.parse("2026-03-05")), refused("b", at("2026-03-05")));
        boards.now("2026-03-04T10:00:00Z");
        assertEquals("1 cy 2", places(found("b", at("2026-03-05"))), "it is that date at UTC+14");
        assertEquals("1 bo 3", places(found("b", page(0, 10))));
    }

    @Test
    void shouldFindARunByAnyDateInIt() {
        boards.with(board(1, "b").from("2025-12-31").every(1, RunUnit.MONTH))
                .rank(1, day("2026-01-31"), ALL, "ann 4")
                .rank(1, day("2026-02-28"), ALL, "bo 3");

        assertEquals("1 ann 4", places(found("b", at("2026-01-31"))));
        assertEquals("1 ann 4", places(found("b", at("2026-02-27"))));
        assertEquals("1 bo 3", places(found("b", at("2026-02-28"))));
        assertEquals(404, refused("b", at("2025-12-30")).kind().status());
        assertEquals(404, refused("b", at("9999-12-31")).kind().status());
    }

    @Test
    void shouldShowTheLastRunOfAFinishedLeaderboard() {
        boards.with(board(1, "b").from("2026-02-01").to("2026-02-10").every(7, RunUnit.DAY))
                .rank(1, day("2026-02-01"), ALL, "ann 4")
                .rank(1, day("2026-02-08"), ALL, "bo 3");

        assertEquals("1 bo 3", places(found("b", page(0, 10))));
        assertEquals("finished", found("b", page(0, 10)).status());
        assertEquals("1 ann 4", places(found("b", at("2026-02-07"))));
        assertEquals(404, refused("b", at("2026-02-11")).kind().status());
    }

    @Test
    void shouldHaveNoRunsAfterAnOperatorFinishedIt() {
        boards.with(board(1, "b").from("2026-02-01").every(7, RunUnit.DAY).finishedAt("2026-02-09T08:00:00Z"))
                .rank(1, day("2026-02-08"), ALL, "bo 3");

        assertEquals("1 bo 3", places(found("b", page(0, 10))));
        assertEquals(404, refused("b", at("2026-02-15")).kind().status());
        assertEquals(1, ofUser("bo", "b", null, 0).rank().orElseThrow().value());
    }

    @Test
    void shouldAcceptAnyDateForAPerpetualLeaderboard() {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4");

        assertEquals("1 ann 4", places(found("b", at("2026-02-27"))));
        assertEquals(404, refused("b", at("2025-12-31")).kind().status());
    }

    // Groups.

    private void twoBreakdowns() {
        boards.with(board(1, "b").by("city", "club"))
                .rank(1, Runs.PERPETUAL, List.of("Turku", "swim"), "ann 4", "bo 2")
                .rank(1, Runs.PERPETUAL, List.of("Turku", "run"), "cy 3", "dee 1")
                .rank(1, Runs.PERPETUAL, List.of("Espoo", "swim"), "eve 9");
    }

    @Test
    void shouldShowTheGroupOfAllValues() {
        twoBreakdowns();

        assertEquals("1 ann 4, 2 bo 2", places(found("b", in(Map.of("club", "swim", "city", "Turku")))));
        assertEquals("", places(found("b", in(Map.of("club", "chess", "city", "Turku")))), "an unknown group");
    }

    @Test
    void shouldMergeTheGroupsThatMatchSomeValues() {
        twoBreakdowns();

        assertEquals(
                "1 ann 4, 2 cy 3, 3 bo 2", places(found("b", in(Map.of("city", "Turku")))), "at most maxParticipants");
        assertEquals("1 eve 9, 2 ann 4, 3 bo 2", places(found("b", in(Map.of("club", "swim")))));
        assertEquals(
                "2 cy 3, 3 bo 2",
                places(found("b", new Page(0, 5, null, "cy", Map.of("city", "Turku"), null, null, null))));
        assertEquals("", places(found("b", in(Map.of("city", "Oulu")))));
    }

    @Test
    void shouldShowAUserOnceWhoMovedWhileGroupsWereRead() {
        boards.with(board(1, "b").by("city", "club"))
                .rank(1, Runs.PERPETUAL, List.of("Turku", "swim"), "ann 4", "bo 2")
                .rank(1, Runs.PERPETUAL, List.of("Turku", "run"), "ann 4", "cy 1");

        assertEquals("1 ann 4, 2 bo 2, 3 cy 1", places(found("b", in(Map.of("city", "Turku")))));
    }

    @Test
    void shouldLimitTheNumberOfMergedGroups() {
        boards.with(board(1, "b").by("city", "club"));
        IntStream.range(0, LeaderboardReads.MAX_GROUPS)
                .forEach(n -> boards.rank(1, Runs.PERPETUAL, List.of("city" + n, "swim"), "ann" + n + " " + (n + 1)));
        assertEquals("1 ann9999 10000, 2 ann9998 9999, 3 ann9997 9998", places(found("b", in(Map.of("club", "swim")))));

        boards.rank(1, Runs.PERPETUAL, List.of("Turku", "swim"), "bo 1");

        Refusal refusal = refused("b", in(Map.of("club", "swim")));
        assertEquals(Refusal.Kind.INVALID, refusal.kind());
        assertTrue(refusal.message().contains("city, club") && refusal.message().contains("10000"), refusal.message());
        assertEquals("1 bo 1", places(found("b", in(Map.of("club", "swim", "city", "Turku")))));
    }

    @Test
    void shouldRequireAttributesForLeaderboardsWithBreakdownsOnly() {
        twoBreakdowns();
        boards.with(board(2, "plain"));

        assertEquals(
                Refusal.invalid("userAttributes is required, with values of one or more of: city, club."),
                refused("b", page(0, 10)));
        assertEquals(
                Refusal.invalid("userAttributes has the key 'plan', must be one of: city, club."),
                refused("b", in(Map.of("plan", "gold"))));
        assertEquals(
                Refusal.invalid(
                        "userAttributes must not be given: the leaderboard 'plain' has no breakdown attributes."),
                refused("plain", in(Map.of("city", "Turku"))));
    }

    // One user.

    @Test
    void shouldShowAUsersPlaceAndHistory() {
        boards.with(board(1, "b"))
                .rank(1, Runs.PERPETUAL, ALL, "ann 4", "bo 3")
                .dayEnds(
                        "bo",
                        new DayEnd(day("2026-03-01"), 9, BigDecimal.ONE),
                        new DayEnd(day("2026-03-02"), null, null),
                        new DayEnd(day("2026-03-03"), 2, BigDecimal.TWO));

        LeaderboardBody body = ofUser("bo", "b", null, 10);

        assertEquals(2, body.rank().orElseThrow().value());
        assertEquals(new BigDecimal("3"), body.value().orElseThrow().value());
        assertEquals("""
            2026-03-01T00:00:00Z null→9 null→1
            2026-03-02T00:00:00Z 9→null 1→null
            2026-03-03T00:00:00Z null→2 null→2\
            """, history(body));
    }

    private static String history(LeaderboardBody body) {
        return body.history().orElseThrow().stream()
                .map(day -> day.timestamp() + " " + day.previousRank() + "→" + day.rank() + " " + day.previousValue()
                        + "→" + day.value())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldShowTheNewestDaysAndThePlaceBeforeThem() {
        boards.with(board(1, "b"))
                .dayEnds(
                        "bo",
                        new DayEnd(day("2026-03-01"), 9, BigDecimal.ONE),
                        new DayEnd(day("2026-03-02"), 4, BigDecimal.TWO),
                        new DayEnd(day("2026-03-03"), 2, BigDecimal.TEN));

        assertEquals("2026-03-03T00:00:00Z 4→2 2→10", history(ofUser("bo", "b", null, 1)));
        assertEquals("", history(ofUser("bo", "b", null, 0)));
    }

    @Test
    void shouldRoundValuesDownIfTheSettingsSaySo() {
        boards.with(board(1, "b"))
                .rank(1, Runs.PERPETUAL, ALL, "ann 4.9", "bo 0.5")
                .dayEnds("bo", new DayEnd(day("2026-03-03"), 2, new BigDecimal("0.25")));
        boards.showIntegers();

        assertEquals("1 ann 4, 2 bo 0", places(found("b", page(0, 10))));
        assertEquals(
                BigDecimal.ZERO,
                ofUser("bo", "b", null, 10).value().orElseThrow().value());
        assertEquals("2026-03-03T00:00:00Z null→2 null→0", history(ofUser("bo", "b", null, 10)));
    }

    @Test
    void shouldShowNullsForAUserWithoutAPlace() {
        twoBreakdowns();
        boards.with(board(2, "plain"));

        for (String key : List.of("b", "plain")) {
            LeaderboardBody body = ofUser("zoe", key, null, 10);
            assertEquals(null, body.rank().orElseThrow().value());
            assertEquals(null, body.value().orElseThrow().value());
            assertEquals("", history(body));
        }
    }

    @Test
    void shouldShowTheGroupOfTheUser() {
        twoBreakdowns();

        assertEquals(2, ofUser("dee", "b", null, 10).rank().orElseThrow().value());
        assertEquals(
                new BigDecimal("9"),
                ofUser("eve", "b", null, 10).value().orElseThrow().value());
    }

    @Test
    void shouldShowTheRunOfTheUsersLocalDate() {
        boards.with(board(1, "b").from("2026-03-01").every(1, RunUnit.DAY))
                .rank(1, day("2026-03-04"), ALL, "ann 4")
                .rank(1, day("2026-03-05"), ALL, "bo 8", "ann 7");
        boards.now("2026-03-04T11:00:00Z");
        boards.localDate("2026-03-05");

        assertEquals(2, ofUser("ann", "b", null, 10).rank().orElseThrow().value());
        assertEquals(
                1, ofUser("ann", "b", "2026-03-04", 10).rank().orElseThrow().value());
    }

    @Test
    void shouldReportUnknownUsersAndRuns() {
        boards.with(board(1, "b")).with(board(2, "hidden").status(LeaderboardStatus.INACTIVE));
        boards.removeUser("zoe");
        LeaderboardReads reads = boards.reads();
        var ann = new UserKey(TenantId.NONE, new UserId("ann"));

        assertEquals(
                Refusal.unknown("user", "zoe"),
                refusal(() -> reads.ofUser(new UserKey(TenantId.NONE, new UserId("zoe")), "b", null, 10, false)));
        assertEquals(
                Refusal.unknown("leaderboard", "hidden"), refusal(() -> reads.ofUser(ann, "hidden", null, 10, false)));
        assertEquals(
                Refusal.unknownRun("b", LocalDate.parse("2025-12-31")),
                refusal(() -> reads.ofUser(ann, "b", LocalDate.parse("2025-12-31"), 10, false)));
    }

    // Partitions that cannot be read.

    @Test
    void shouldNotBeReadyWhileTheRankingsAreBehind() {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4");
        boards.fallBehind();
        assertThrows(NotReadyException.class, () -> found("b", page(0, 10)));
        assertThrows(NotReadyException.class, () -> ofUser("ann", "b", null, 10));
    }

    @Test
    void shouldNotBeReadyWhileStoresAreClosed() {
        boards.with(board(1, "b")).rank(1, Runs.PERPETUAL, ALL, "ann 4");
        boards.close();

        assertThrows(NotReadyException.class, () -> found("b", page(0, 10)));
    }
}
