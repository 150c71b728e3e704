package dev.laurel.query.http;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.query.partition.DeliveryQuery;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LeaderboardQuery.CountRun;
import dev.laurel.query.partition.LeaderboardQuery.CountScores;
import dev.laurel.query.partition.LeaderboardQuery.FindPlaces;
import dev.laurel.query.partition.LeaderboardQuery.FindStays;
import dev.laurel.query.partition.LeaderboardQuery.FindTeams;
import dev.laurel.query.partition.LeaderboardQuery.MergeGroups;
import dev.laurel.query.partition.LeaderboardQuery.ShowRanking;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.partition.UserIndexQuery.FindUsers;
import dev.laurel.query.partition.UserIndexQuery.FindUsers.FoundPlace;
import dev.laurel.query.partition.UserIndexQuery.ListActiveUsers;
import dev.laurel.query.partition.UserIndexQuery.ListNewestUsers;
import dev.laurel.query.partition.UserIndexQuery.ShowUsers;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.partition.UserQuery.ListStreaks;
import dev.laurel.query.partition.UserQuery.ListUsers;
import dev.laurel.query.partition.UserQuery.ListUsers.CreatedPlace;
import dev.laurel.query.partition.UserQuery.MeasureStreaks;
import dev.laurel.query.partition.UserQuery.RankUsers;
import dev.laurel.query.partition.UserQuery.SampleUsers;
import dev.laurel.query.partition.UserQuery.ShowScores;
import dev.laurel.query.partition.UserQuery.ShowStreaks;
import dev.laurel.query.partition.UserQuery.ShowUser;
import dev.laurel.query.partition.UserQuery.SumYears;
import dev.laurel.query.partition.UserResourceQuery.FindKeys;
import dev.laurel.query.partition.UserResourceQuery.FindOwner;
import dev.laurel.query.partition.UserResourceQuery.FindPauses;
import dev.laurel.query.partition.UserResourceQuery.ListOwned;
import dev.laurel.query.partition.UserResourceQuery.ShowOwned;
import dev.laurel.query.peer.PeerRequest;
import dev.laurel.query.read.InMemoryLeaderboards;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.UserResourceIds;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Checks that every query has the same result whether this node has all partitions or each is on a node of its own. */
class PeerRequestTest {

    private static final TenantId TENANT = TenantId.NONE;
    private static final UUID PAUSE = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final UUID BOOST = UUID.fromString("00000000-0000-4000-8000-000000000002");

    private static final UUID KEY =
            UserResourceIds.of(user(9), UUID.fromString("00000000-0000-4000-8000-000000000003"));

    private final InMemoryUsers users = new InMemoryUsers();
    private final InMemoryLeaderboards boards = new InMemoryLeaderboards()
            .with(board(1, "b"))
            .with(board(2, "cities").by("city"));

    private void fill() throws BadInputException {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},"attributes":{"user":{"city":{}}},"streak":{"frequency":"daily"},
             "achievements":{"ten":{"name":"Ten","trigger":"metric","metric":"laps","value":10}},
             "points":{"gems":{"levels":{"seal":{"name":"Seal","points":10}},
               "triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":3}}}},
             "leaderboards":{"all":{"rankBy":"metric","metric":"laps","status":"active"}}}\
            """);
        for (int i = 0; i < 40; i++) {
            users.identify(
                    "user/" + i,
                    ",\"name\":\"Näme " + i + "\",\"tz\":\"Europe/Helsinki\",\"attributes\":" + "{\"city\":\""
                            + (i % 3 == 0 ? "Turku" : "Oulu") + "\"}",
                    time(i % 5, i));
            for (int day = 0; day <= i % 4; day++) {
                users.command(
                        "user/" + i,
                        "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + (i + 0.25) + ",\"user\":{\"id\":\"user/"
                                + i + "\"}}",
                        time(10 + day, i));
            }
        }
        users.command(
                "user/7",
                "{\"type\":\"plan-pause\",\"user\":{\"id\":\"user/7\"},\"pauseId\":\"" + PAUSE
                        + "\",\"start\":\"2026-03-20\",\"end\":\"2026-03-25\"}",
                time(14, 0));
        users.command(
                "user/8",
                "{\"type\":\"grant-boost\",\"user\":{\"id\":\"user/8\"},\"boostId\":\"" + BOOST
                        + "\",\"system\":\"gems\",\"name\":\"Back\",\"start\":\"2026-03-20\",\"multiplier\":1.50}",
                time(14, 0));
        users.issue(user(9), new IssuedKey(KEY, Instant.parse(time(14, 0)).toEpochMilli(), true, IssuedKey.NEVER));
        users.now("2026-03-14T20:00:00Z");
        var end = new DayEnd(Math.toIntExact(LocalDate.parse("2026-03-01").toEpochDay()), 2, new BigDecimal("7.50"));
        boards.rank(1, Runs.PERPETUAL, List.of(), "ida 30.50", "bo 1e2")
                .dayEnds("bo", end)
                .rank(2, Runs.PERPETUAL, List.of("Åbo"), "cy 1")
                .stay("bo", 1, Runs.PERPETUAL, List.of(), end, new DayEnd(end.day() + 1, null, null));
    }

    private static String time(int day, int minute) {
        return "2026-03-%02dT09:%02d:00Z".formatted(day + 1, minute);
    }

    private static UserKey user(int number) {
        return UserKey.of("user/" + number);
    }

    private static Entry entry(UUID id, int group, int user) {
        return new Entry(
                group, Instant.parse(time(14, 0)).toEpochMilli(), id, user(user).bytes());
    }

    private List<PartitionQuery<?>> queries() {
        int gems = users.rulesets().newest(TENANT).pointsSystem("gems").number();
        int laps = users.rulesets().newest(TENANT).referencedMetric("laps").number();
        int all = users.rulesets().newest(TENANT).board("all").number();
        List<UserId> ids = IntStream.range(0, 41).mapToObj(i -> user(i).user()).toList();
        var queries = new ArrayList<PartitionQuery<?>>(List.of(
                new ListStreaks(TENANT, By.ACTIVE, 7),
                new ListStreaks(TENANT, By.LONGEST, 100),
                new ShowStreaks(TENANT, By.ACTIVE, ids),
                new ShowScores(TENANT, all, Runs.PERPETUAL, ids),
                new MeasureStreaks(List.of(user(3), user(4), user(99))),
                new ListUsers(TENANT, "", null, 15),
                new ListUsers(TENANT, "näme 1", null, 100),
                new FindUsers(TENANT, "user/1", "user 1", null, 5),
                new FindUsers(TENANT, "n", "name 1", null, 50),
                new FindUsers(TENANT, "n", "name", new FoundPlace("name 2", "user/2"), 9),
                new ListActiveUsers(TENANT, Integer.MAX_VALUE, null, 15),
                new ListActiveUsers(TENANT, 20_524, "user/20", 3),
                new ShowUsers(TENANT, ids),
                new ListNewestUsers(TENANT, null, 15),
                new ListNewestUsers(
                        TENANT, new CreatedPlace(Instant.parse(time(14, 0)).toEpochMilli(), new UserId("user/3")), 15),
                new ListUsers(
                        TENANT,
                        "",
                        new CreatedPlace(Instant.parse(time(14, 0)).toEpochMilli(), new UserId("user/3")),
                        15),
                new SampleUsers(TENANT),
                new RankUsers(TENANT, Ranking.EVENTS, 0, 10),
                new RankUsers(TENANT, Ranking.RECENT_EVENTS, 0, 10),
                new RankUsers(TENANT, Ranking.POINTS, gems, 1),
                new RankUsers(TENANT, Ranking.VALUE, laps, 100),
                new RankUsers(TENANT, Ranking.RECENT_VALUE, laps, 10),
                new SumYears(TENANT, 2026, DayOfWeek.MONDAY, ids),
                new ListOwned(Kind.PAUSE, TENANT, 0, null, null, 10),
                new ListOwned(Kind.BOOST, TENANT, gems, 1, null, 10),
                new FindOwner(Kind.BOOST, TENANT, BOOST),
                new FindOwner(Kind.PAUSE, TENANT, BOOST),
                new FindPauses(List.of(user(7), user(8), user(99))),
                new FindKeys(user(9)),
                new FindKeys(user(99)),
                new ShowOwned(Kind.KEY, List.of(entry(KEY, 0, 9), entry(PAUSE, 0, 9), entry(KEY, 0, 99))),
                new ShowOwned(Kind.PAUSE, List.of(entry(BOOST, 0, 7), entry(PAUSE, 0, 7), entry(PAUSE, 0, 99))),
                new ShowOwned(Kind.BOOST, List.of(entry(BOOST, gems, 8), entry(BOOST, 99, 8))),
                new ShowUser(user(5)),
                new ShowUser(user(99))));
        for (String name : List.of("ida", "bo", "cy", "nobody")) {
            var id = new UserId(name);
            queries.add(new FindPlaces(TENANT, 1, List.of(), 3, id, List.of(Runs.PERPETUAL), 10));
            queries.add(new FindPlaces(TENANT, 2, null, 3, id, List.of(5, Runs.PERPETUAL), 0));
            queries.add(new FindTeams(TENANT, 2, null, id, List.of(5, Runs.PERPETUAL)));
            queries.add(new FindTeams(TENANT, 2, List.of("Åbo"), id, List.of(Runs.PERPETUAL)));
            queries.add(new CountRun(TENANT, 1, Runs.PERPETUAL));
            queries.add(new FindStays(
                    TENANT, 1, 3, id, Runs.PERPETUAL, Runs.PERPETUAL, 0, 100_000, Runs.PERPETUAL, 20_000));
        }
        for (String name : List.of("cy", "nobody")) {
            queries.add(new FindPlaces(TENANT, 2, List.of("Åbo"), 3, new UserId(name), List.of(Runs.PERPETUAL), 10));
        }
        queries.add(new CountScores(TENANT, 1, Runs.PERPETUAL, new BigDecimal("30.50"), new BigDecimal("1e2")));
        queries.add(new MergeGroups(TENANT, 2, Runs.PERPETUAL, Collections.singletonList(null), 3, 10));
        queries.add(new ShowRanking(TENANT, 1, Runs.PERPETUAL, List.of()));
        queries.add(new ShowRanking(TENANT, 2, Runs.PERPETUAL, List.of("Åbo")));
        return queries;
    }

    private static String answer(Nodes nodes, PartitionQuery<?> query) {
        Record answer = switch (query) {
            case UserQuery<?> ofUsers -> nodes.ask(ofUsers);
            case LeaderboardQuery<?> ofBoard -> nodes.ask(ofBoard);
            default -> throw new IllegalStateException("nodes do not answer queries about deliveries");
        };
        return sorted(Json.mapperForTools().readTree(Json.write(answer)));
    }

    /** Sorts lists without a defined order, so that both results can be compared. */
    private static String sorted(JsonNode answer) {
        var fields = new TreeMap<String, String>();
        answer.properties()
                .forEach(field -> fields.put(
                        field.getKey(),
                        field.getValue().isArray()
                                ? field.getValue()
                                        .valueStream()
                                        .map(JsonNode::toString)
                                        .sorted()
                                        .collect(Collectors.joining(","))
                                : field.getValue().toString()));
        return fields.toString();
    }

    /** Delivery processes answer the queries about deliveries: see {@code DeliveryPeersTest}. */
    private static TreeSet<String> ofNodes() {
        return PeerRequest.QUERIES.entrySet().stream()
                .filter(of -> !DeliveryQuery.class.isAssignableFrom(of.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldAnswerTheSameLocallyAndThroughJson() throws BadInputException {
        fill();
        var local = users.localNode(boards.partitions());
        var apart = new SerializingNodes(local);

        for (PartitionQuery<?> query : queries()) {
            assertEquals(answer(local, query), answer(apart, query), query.toString());
        }
        assertEquals(ofNodes(), apart.names(), "every query is sent");
    }

    @Test
    void shouldKeepDefinedOrders() throws BadInputException {
        fill();
        var local = users.localNode();
        var apart = new SerializingNodes(local);

        assertEquals(local.ask(new ListUsers(TENANT, "", null, 15)), apart.ask(new ListUsers(TENANT, "", null, 15)));
        assertEquals(
                local.ask(new ListStreaks(TENANT, By.ACTIVE, 7)), apart.ask(new ListStreaks(TENANT, By.ACTIVE, 7)));
        assertEquals(local.ask(new SampleUsers(TENANT)), apart.ask(new SampleUsers(TENANT)));
        assertNotEquals(
                List.of(), local.ask(new ListUsers(TENANT, "", null, 15)).values());
    }

    /** Empty results would be equal without proving anything. */
    @Test
    void shouldHaveResultsForEveryQuery() throws BadInputException {
        fill();
        var local = users.localNode(boards.partitions());
        Collection<String> withoutResult = ofNodes();

        for (PartitionQuery<?> query : queries()) {
            String result = answer(local, query);
            if (!result.matches("\\{\\w+=(null|\\[]|0)?}")) {
                withoutResult.remove(query.name());
            }
        }
        assertEquals(List.of(), List.copyOf(withoutResult));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "{}",
                "{\"question\":\"DropAll\",\"of\":{}}",
                "{\"question\":\"ShowUser\",\"of\":{\"usr\":1}}",
                "{\"question\":\"ShowUser\""
            })
    void shouldRefuseInvalidQueries(String body) {
        var refusal = assertThrows(HttpRefusal.class, () -> PeerRequest.read(body.getBytes(UTF_8)));

        assertEquals(422, refusal.status());
    }
}
