package dev.laurel.query.http;

import static dev.laurel.query.read.InMemoryLeaderboards.board;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.TestApi;
import dev.laurel.query.read.InMemoryLeaderboards;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reads of leaderboards over HTTP (docs/application-api.md §4 and §7). */
class LeaderboardReadRoutesTest {

    private static final String KEY = BootstrapKey.generate();

    private final InMemoryLeaderboards boards = new InMemoryLeaderboards()
            .with(board(1, "b").from("2026-03-01"))
            .with(board(2, "cities").by("city"))
            .with(board(3, "past").from("2026-01-01").to("2026-02-01"));

    @AutoClose
    private TestApi api;

    @BeforeEach
    void start() {
        boards.rank(1, Runs.PERPETUAL, List.of(), "ida 1e2", "bo 2.50")
                .rank(2, Runs.PERPETUAL, List.of("Turku"), "cy 1")
                .dayEnds(
                        "bo",
                        new DayEnd(Math.toIntExact(LocalDate.parse("2026-03-03").toEpochDay()), 2, BigDecimal.ONE));
        api = new TestApi(
                new BootstrapKey(KEY),
                new LeaderboardReadRoutes(boards.reads(), Relay.NONE),
                new NodeRoutes(() -> false));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return api.get(path, KEY);
    }

    private static final String FIELDS = "\"id\":\"00000000-0000-0000-0000-000000000001\",\"name\":\"Board b\","
            + "\"key\":\"b\",\"status\":\"active\",\"rankBy\":\"streak\",\"metricKey\":null,\"metricName\":null,"
            + "\"pointsSystemKey\":null,\"pointsSystemName\":null,\"description\":null,\"start\":\"2026-03-01\","
            + "\"end\":null,\"startTime\":null,\"endTime\":null,\"maxParticipants\":3,\"runUnit\":null,"
            + "\"runInterval\":0,\"breakdownAttributes\":[],\"breakdownAttribute\":null";

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldServeAllReadsUnderBothMounts(String mount) throws Exception {
        var all = get(mount + "/leaderboards");
        assertEquals(200, all.statusCode());
        assertTrue(all.body().startsWith("[{" + FIELDS + "},{"), all.body());
        assertEquals(
                "{" + FIELDS + ",\"rankings\":["
                        + "{\"userId\":\"ida\",\"userName\":\"Ida Laine\",\"rank\":1,\"value\":100},"
                        + "{\"userId\":\"bo\",\"userName\":null,\"rank\":2,\"value\":2.5}]}",
                get(mount + "/leaderboards/b").body());
        assertEquals(
                "{" + FIELDS + ",\"rank\":2,\"value\":2.5,\"history\":[{\"date\":\"2026-03-03\","
                        + "\"timestamp\":\"2026-03-03T00:00:00.000Z\",\"previousRank\":null,\"rank\":2,"
                        + "\"previousValue\":null,\"value\":1}]}",
                get(mount + "/users/bo/leaderboards/b").body());
    }

    @Test
    void shouldShowNullsForAUserWithoutAPlace() throws Exception {
        assertEquals(
                "{" + FIELDS + ",\"rank\":null,\"value\":null,\"history\":[]}",
                get("/v1/users/zoe/leaderboards/b?numEvents=0").body());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "LeaderboardReadRoutesTest.shouldRefuseInvalidParameters.csv")
    void shouldRefuseInvalidParameters(String path, String named) throws Exception {
        var answer = get("/v1" + path);

        assertEquals(422, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains(named), answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/leaderboards/x",
                "/leaderboards/b?run=2026-02-28",
                "/users/bo/leaderboards/x",
                "/users/bo/leaderboards/b?run=2026-02-28"
            })
    void shouldAnswer404ForUnknownLeaderboardsAndRuns(String path) throws Exception {
        assertEquals(404, get("/v1" + path).statusCode());
    }

    @Test
    void shouldStartTheRankingsAtAUser() throws Exception {
        assertTrue(get("/v1/leaderboards/b?userId=bo").body().contains("\"rankings\":[{\"userId\":\"bo\""));
        assertFalse(get("/v1/leaderboards/b?userId=bo&offset=1").body().contains("\"userId\""));
    }

    @Test
    void shouldRefuseTooManyUsers() throws Exception {
        String ids = IntStream.rangeClosed(1, 501).mapToObj(i -> "u" + i).collect(Collectors.joining(","));
        var answer = get("/v1/leaderboards/b?userIds=" + ids);

        assertEquals(422, answer.statusCode());
        assertTrue(answer.body().contains("userIds must have 1 to 500 user ids, by commas, has 501."), answer.body());
    }

    @Test
    void shouldRankUsersOfAFinalRunAmongThemselves() throws Exception {
        boards.rank(3, Runs.PERPETUAL, List.of(), "ida 3", "bo 2", "cy 1");

        String body = get("/v1/leaderboards/past?userIds=cy,zoe,ida").body();

        assertTrue(
                body.endsWith("\"rankings\":[{\"userId\":\"ida\",\"userName\":\"Ida Laine\",\"rank\":1,\"value\":3},"
                        + "{\"userId\":\"cy\",\"userName\":null,\"rank\":2,\"value\":1}]}"),
                body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/leaderboards/b", "/users/bo/leaderboards/b"})
    void shouldAnswer503WhileTheLeaderboardCannotBeRead(String path) throws Exception {
        boards.fallBehind();

        var answer = get("/v1" + path);

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
        assertTrue(answer.body().startsWith("{\"error\":"), answer.body());
        assertEquals(200, get("/v1/leaderboards").statusCode(), "the list needs the ruleset only");
    }

    @Test
    void shouldAnswerReadinessInJson() throws Exception {
        var answer = get("/readyz");

        assertEquals(503, answer.statusCode());
        assertEquals("{\"status\":\"starting\"}", answer.body());
    }
}
