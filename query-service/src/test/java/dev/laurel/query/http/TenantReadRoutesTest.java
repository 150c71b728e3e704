package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.TestApi;
import dev.laurel.query.read.InMemoryUsers;
import dev.laurel.query.read.TenantReads;
import dev.laurel.query.read.UserLists;
import dev.laurel.query.read.UserTimelines;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reads across users over HTTP (docs/application-api.md §3, §5, §6; docs/admin-api.md B7). */
class TenantReadRoutesTest {

    private static final String KEY = BootstrapKey.generate();
    private static final String ANNS_KEY = "app_0.ann";
    private static final String RULES = """
        {"metrics":{"laps":{"name":"Laps"}},
         "attributes":{"user":{"city":{},"plan":{}}},
         "streak":{"frequency":"daily"},
         "achievements":{"ten":{"name":"Ten","trigger":"metric","metric":"laps","value":10},
           "turku":{"name":"Turku","trigger":"api","userAttributes":{"city":"Turku"}},
           "both":{"name":"Both","trigger":"api","userAttributes":{"city":"Turku","plan":"pro"}},
           "hidden":{"name":"Hidden","trigger":"api","status":"inactive"}},
         "points":{"gems":{"levels":{"otter":{"name":"Otter","points":0},"seal":{"name":"Seal","points":LEVEL}},
           "triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}},
           "plain":{"triggers":{}}}}\
        """;

    private final InMemoryUsers users = new InMemoryUsers();

    @AutoClose
    private TestApi api;

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", RULES.replace("LEVEL", "10"))
                .identify("ann", ",\"name\":\"Ann Laine\",\"attributes\":{\"city\":\"Turku\"}", "2026-03-01T08:00:00Z")
                .event("ann", "laps", 5, "2026-03-01T09:00:00Z")
                .event("ann", "laps", 6, "2026-03-02T09:00:00Z")
                .event("ann", "laps", 1, "2026-03-03T09:00:00Z")
                .event("bo", "laps", 1, "2026-03-02T08:00:00Z")
                .event("bo", "laps", 2, "2026-03-03T08:00:00Z")
                .event("cy", "laps", 1, "2026-03-02T08:30:00Z")
                .event("cy", "laps", 1, "2026-03-03T08:30:00Z")
                .identify(
                        "di",
                        ",\"email\":\"DI@example.net\",\"attributes\":{\"city\":\"Oulu\",\"plan\":\"pro\"}",
                        "2026-03-03T11:00:00Z")
                .now("2026-03-03T12:00:00Z");
        api = new TestApi(
                (key, _) -> key.equals(KEY)
                        ? Grant.of(Principal.Admin.UNLIMITED, "p", TenantId.NONE)
                        : key.equals(ANNS_KEY)
                                ? Grant.of(
                                        new Principal.ApplicationUser(new UserId("ann"), Role.SUPPORT),
                                        "p",
                                        TenantId.NONE)
                                : null,
                new TenantReadRoutes(
                        new TenantReads(users.localNode(), users.counts(), users.rulesets(), users.clock()),
                        new UserLists(users.localNode())),
                new TimelineRoutes(new UserTimelines(users.localNode().users()), Relay.NONE),
                new UserReadRoutes(users.reads(), Relay.NONE),
                new NodeRoutes(() -> true));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, KEY);
    }

    private HttpResponse<String> get(String path, String key) throws Exception {
        return api.get(path, key);
    }

    private String body(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    /** The values of a text field, in order. */
    private String values(String field, String path) throws Exception {
        return Pattern.compile("\"" + field + "\":\"?([^\",}]*)")
                .matcher(body(path))
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldShowActiveAchievementsWithTheirCompletions(String mount) throws Exception {
        String all = body(mount + "/achievements");

        assertTrue(all.startsWith("[{\"id\":\""), all);
        assertEquals("Ten Turku Both", values("name", mount + "/achievements"));
        assertTrue(all.contains("\"completions\":1,\"rarity\":25}"), all);
        assertTrue(all.contains("\"completions\":0,\"rarity\":0}"), all);
        assertTrue(!all.contains("achievedAt"), all);
    }

    @Test
    void shouldShowAchievementsWhoseFiltersMatchTheAttributes() throws Exception {
        String path = "/v1/achievements?userAttributes=";

        assertEquals("Ten Turku", values("name", path + "city:Turku"));
        assertEquals("Ten", values("name", path + "city:Oulu"));
        assertEquals("Ten Turku Both", values("name", path + "plan:pro,city:Turku"));
        assertEquals("Ten", values("name", path + "plan:pro"));
        assertEquals("Ten Turku Both", values("name", path));
    }

    @Test
    void shouldRefuseInvalidParametersWith422() throws Exception {
        for (String path : List.of(
                "/v1/achievements?userAttributes=country:fi",
                "/v1/achievements?userAttributes=city",
                "/v1/points/gems/summary?userAttributes=country:fi",
                "/v1/points/plain/level-summary",
                "/v1/streaks",
                "/v1/streaks?userIds=",
                "/v1/streaks/rankings?limit=0",
                "/v1/streaks/rankings?limit=101",
                "/v1/streaks/rankings?limit=ten",
                "/v1/streaks/rankings?type=best",
                "/admin/v1/users?limit=101",
                "/admin/v1/users?skip=10001",
                "/admin/v1/users?skip=-1")) {
            HttpResponse<String> answer = get(path);

            assertEquals(422, answer.statusCode(), path + answer.body());
            assertTrue(answer.body().startsWith("{\"error\":\""), path + answer.body());
        }
    }

    @Test
    void shouldSumUpTotals() throws Exception {
        assertEquals("1 2 1 0 0 0 0 0 0 0 0", values("users", "/v1/points/gems/summary"));
        assertEquals("0 1 11 21 31 41 51 61 71 81 91", values("from", "/v1/points/gems/summary"));
        assertEquals("0 0 1 0 0 0 0 0 0 0 0", values("users", "/v1/points/gems/summary?userAttributes=city:Turku"));
        assertEquals(
                "1 0 0 0 0 0 0 0 0 0 0", values("users", "/v1/points/gems/summary?userAttributes=city:Oulu,plan:pro"));
    }

    @Test
    void shouldSumUpLevelsByTheThresholdsToWhichUsersWereBrought() throws Exception {
        assertEquals("2 1", values("users", "/v1/points/gems/level-summary"));

        users.rules("2026-03-03T11:30:00Z", RULES.replace("LEVEL", "2"));
        for (String user : List.of("ann", "bo", "cy", "di")) {
            users.identify(user, "", "2026-03-03T11:31:00Z");
        }

        assertEquals("1 2", values("users", "/v1/points/gems/level-summary"));
    }

    @Test
    void shouldListTheLongestStreaksAndEarlierOnesFirst() throws Exception {
        assertEquals(
                "[{\"userId\":\"ann\",\"name\":\"Ann Laine\",\"streakLength\":3},"
                        + "{\"userId\":\"bo\",\"streakLength\":2},{\"userId\":\"cy\",\"streakLength\":2}]",
                body("/v1/streaks/rankings"));
        assertEquals("ann bo", values("userId", "/v1/streaks/rankings?limit=2&type=active"));
    }

    @Test
    void shouldListStreaksAsOfNow() throws Exception {
        users.event("bo", "laps", 1, "2026-03-04T08:00:00Z").now("2026-03-05T12:00:00Z");

        assertEquals("bo", values("userId", "/v1/streaks/rankings?limit=1"));
        assertEquals("bo", values("userId", "/v1/streaks/rankings"));
        assertEquals("ann bo cy", values("userId", "/v1/streaks/rankings?type=longest"));
        assertEquals("3 3 2", values("streakLength", "/v1/streaks/rankings?type=longest"));
    }

    @Test
    void shouldListNoStreaksWhileStreaksAreDisabled() throws Exception {
        users.rules(
                "2026-03-03T11:30:00Z",
                RULES.replace("LEVEL", "10").replace("\"frequency\":\"daily\"", "\"enabled\":false"));

        assertEquals("[]", body("/v1/streaks/rankings"));
        assertEquals("null", values("rank", "/v1/users/ann/streak"));
    }

    @Test
    void shouldRankAUsersStreak() throws Exception {
        assertEquals("1", values("rank", "/v1/users/ann/streak"));
        assertEquals("2", values("rank", "/v1/users/bo/streak"));
        assertEquals("2", values("rank", "/v1/users/cy/streak"), "equal lengths share a rank");
        assertEquals("null", values("rank", "/v1/users/di/streak"));
    }

    @Test
    void shouldShowRequestedStreaksLongestFirst() throws Exception {
        assertEquals(
                "[{\"userId\":\"ann\",\"streakLength\":3,\"extended\":\"2026-03-03T09:00:00.000Z\"},"
                        + "{\"userId\":\"cy\",\"streakLength\":2,\"extended\":\"2026-03-03T08:30:00.000Z\"},"
                        + "{\"userId\":\"bo\",\"streakLength\":2,\"extended\":\"2026-03-03T08:00:00.000Z\"},"
                        + "{\"userId\":\"di\",\"streakLength\":0,\"extended\":null}]",
                body("/v1/streaks?userIds=di,cy,nobody,ann,bo,cy"));
    }

    @Test
    void shouldAcceptListsInEveryForm() throws Exception {
        for (String query : List.of(
                "userIds=bo&userIds=cy",
                "userIds=bo,cy",
                "userIds%5B%5D=bo&userIds%5B%5D=cy",
                "userIds%5B0%5D=bo&userIds%5B1%5D=cy")) {
            assertEquals("bo cy", values("userId", "/v1/streaks?" + query), query);
        }
    }

    @Test
    void shouldTakeAnEncodedCommaAsPartOfAnId() throws Exception {
        users.event("Doe, Jane", "laps", 1, "2026-03-03T08:00:00Z");

        assertTrue(body("/v1/streaks?userIds=Doe%2C%20Jane").startsWith("[{\"userId\":\"Doe, Jane\""));
        assertEquals("[]", body("/v1/streaks?userIds=Doe,%20Jane"));
    }

    @Test
    void shouldAcceptAtMostAHundredUsers() throws Exception {
        String hundred = IntStream.range(0, 100).mapToObj(i -> "u" + i).collect(Collectors.joining(","));

        assertEquals("[]", body("/v1/streaks?userIds=" + hundred));
        assertEquals(422, get("/v1/streaks?userIds=" + hundred + ",u").statusCode());
    }

    @Test
    void shouldShowAnApplicationKeyItsOwnStreakOnly() throws Exception {
        assertEquals(200, get("/v1/streaks?userIds=ann", ANNS_KEY).statusCode());
        assertEquals(403, get("/v1/streaks?userIds=ann,bo", ANNS_KEY).statusCode());
        assertEquals(403, get("/v1/streaks?userIds=nobody", ANNS_KEY).statusCode());
        assertEquals(200, get("/v1/streaks/rankings", ANNS_KEY).statusCode());
        assertEquals(200, get("/v1/achievements", ANNS_KEY).statusCode());
        assertEquals(200, get("/v1/points/gems/summary", ANNS_KEY).statusCode());
        assertEquals(401, get("/admin/v1/users", ANNS_KEY).statusCode());
    }

    @Test
    void shouldAnswer503WhileUsersAreBeingCounted() throws Exception {
        users.forgetCounts();

        for (String path : List.of("/v1/points/gems/summary", "/v1/points/gems/level-summary", "/v1/achievements")) {
            HttpResponse<String> answer = get(path);
            assertEquals(503, answer.statusCode(), path);
            assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow(), path);
        }
        assertEquals("null", values("rank", "/v1/users/ann/streak"), "a streak does not wait for its rank");
    }

    @Test
    void shouldListUsersNewestFirst() throws Exception {
        assertEquals("di cy bo ann", values("id", "/admin/v1/users"));
        assertEquals("cy bo", values("id", "/admin/v1/users?skip=1&limit=2"));
        assertEquals("", values("id", "/admin/v1/users?skip=4"));
        assertTrue(body("/admin/v1/users?limit=1")
                .startsWith("[{\"id\":\"di\",\"email\":\"DI@example.net\","
                        + "\"name\":null,\"tz\":null,\"deviceTokens\":[],\"subscribeToEmails\":true,"
                        + "\"signUpDate\":null,\"attributes\":{"));
    }

    /** The ids of all pages of the list of users. @param query limit and search */
    private String follow(String query) throws Exception {
        var ids = new ArrayList<String>();
        String next = "";
        for (int page = 0; page < 20; page++) {
            String path = "/admin/v1/users?" + query + next;
            ids.add(values("id", path));
            var header = get(path).headers().firstValue("X-Laurel-Next");
            if (header.isEmpty()) {
                return String.join("|", ids);
            }
            next = "&after=" + header.get();
        }
        throw new AssertionError("the list does not end: " + ids);
    }

    @Test
    void shouldContinueListOfUsersAfterAnyPage() throws Exception {
        assertEquals("di|cy|bo|ann", follow("limit=1"));
        assertEquals("di cy bo|ann", follow("limit=3"));
        assertEquals("di cy bo ann", follow("limit=4"));
        assertEquals("di|ann", follow("limit=1&search=n"));
        for (String id : List.of("m m", "kä", "l/%", "n")) {
            users.identify(id, "", "2026-03-03T11:30:00Z");
        }
        assertEquals("kä|l/%|m m|n|di|cy|bo|ann", follow("limit=1"));
        assertEquals("kä l/%|m m n|di cy|bo ann", follow("limit=2"));
    }

    @Test
    void shouldRefuseLargeSkipOfUsersAndSayHowToReadOn() throws Exception {
        assertEquals(200, get("/admin/v1/users?skip=10000").statusCode());
        var refused = get("/admin/v1/users?skip=10001");

        assertEquals(422, refused.statusCode());
        assertEquals(
                "{\"error\":\"skip must be a whole number from 0 to 10000; to read on, send the value of X-Laurel-Next"
                        + " of a page as after.\"}",
                refused.body());
        for (String after : List.of("", "x", "%2B", "MTIz", "eCB5", "ICA")) {
            assertEquals(422, get("/admin/v1/users?after=" + after).statusCode(), after);
        }
    }

    @Test
    void shouldListUsersCreatedAtTheSameTimeById() throws Exception {
        for (String id : List.of("m", "k", "l")) {
            users.identify(id, "", "2026-03-03T11:30:00Z");
        }
        assertEquals("k l m di", values("id", "/admin/v1/users?limit=4"));
        assertEquals("k", values("id", "/admin/v1/users?limit=1"));
        assertEquals("l m", values("id", "/admin/v1/users?skip=1&limit=2"));
    }

    @Test
    void shouldFindUsersByIdNameOrEmail() throws Exception {
        assertEquals("bo", values("id", "/admin/v1/users?search=B"));
        assertEquals("ann", values("id", "/admin/v1/users?search=laine"));
        assertEquals("di", values("id", "/admin/v1/users?search=di@EXAMPLE"));
        assertEquals("", values("id", "/admin/v1/users?search=x%20y"));
        assertEquals("di cy bo ann", values("id", "/admin/v1/users?search="));
    }

    /** The pages of a list that is continued by {@code cursor}. @param path with a query */
    private String pages(String field, String path) throws Exception {
        var pages = new ArrayList<String>();
        String next = "";
        for (int page = 0; page < 40; page++) {
            pages.add(values(field, path + next));
            var header = get(path + next).headers().firstValue("X-Laurel-Next");
            if (header.isEmpty()) {
                return String.join("|", pages);
            }
            next = "&cursor=" + header.get();
        }
        throw new AssertionError("the list does not end: " + pages);
    }

    @Test
    void shouldListUsersInTheRequestedOrder() throws Exception {
        users.identify("l/%", ",\"name\":\"Bo Änn\"", "2026-03-03T11:30:00Z");

        assertEquals("ann|bo|cy|di|l/%", pages("id", "/admin/v1/users?sort=id&limit=1"));
        assertEquals("ann bo cy|di l/%", pages("id", "/admin/v1/users?sort=id&limit=3"));
        assertEquals("ann|cy|bo|di|l/%", pages("id", "/admin/v1/users?sort=lastActivity&limit=1"));
        assertEquals("ann cy|bo di|l/%", pages("id", "/admin/v1/users?sort=lastActivity&limit=2"));
        assertEquals(
                "2026-03-03T09:00:00.000Z 2026-03-03T08:30:00.000Z 2026-03-03T08:00:00.000Z null null",
                values("lastActivity", "/admin/v1/users?sort=lastActivity"));
        assertEquals("bo|l/%", pages("id", "/admin/v1/users?sort=match&search=bo&limit=1"));
        assertEquals("ann|l/%", pages("id", "/admin/v1/users?sort=match&search=ann&limit=1"));
        assertEquals("l/%|ann", pages("id", "/admin/v1/users?sort=match&search=l&limit=1"));
        assertEquals("ann|l/%", pages("id", "/admin/v1/users?sort=id&search=l&limit=1"));
        assertEquals("ann|l/%", pages("id", "/admin/v1/users?sort=lastActivity&search=l&limit=1"));
        assertEquals("di", values("id", "/admin/v1/users?sort=match&search=di@EXAMPLE"));
        assertEquals("l/%", values("id", "/admin/v1/users?sort=match&search=l/"));
        assertEquals("", values("id", "/admin/v1/users?sort=match&search=ine"));
        assertEquals("", values("id", "/admin/v1/users?sort=match&search=%20"));
    }

    @Test
    void shouldRefuseWhatIndexedListsDoNotHave() throws Exception {
        for (String query : List.of(
                "sort=newest",
                "sort=match",
                "sort=id&skip=1",
                "sort=id&limit=0",
                "sort=id&search=" + "x".repeat(256),
                "sort=id&cursor=",
                "sort=id&cursor=x",
                "sort=id&cursor=aQ",
                "sort=lastActivity&cursor=dDEgeCB5",
                "sort=lastActivity&cursor=dDEgMg",
                "sort=match&search=b&cursor=eA")) {
            var refused = get("/admin/v1/users?" + query);

            assertEquals(422, refused.statusCode(), query + refused.body());
        }
        assertEquals(
                "{\"error\":\"search is required with sort=match.\"}",
                get("/admin/v1/users?sort=match").body());
        assertEquals(
                "{\"error\":\"sort must be one of match, id, lastActivity.\"}",
                get("/admin/v1/users?sort=name").body());
    }

    @Test
    void shouldShowTheTimelineOfAUserPageByPage() throws Exception {
        String path = "/admin/v1/users/ann/timeline?";

        String all = pages("at", path + "limit=100");
        assertEquals(
                "2026-03-03T09:00:00.000Z 2026-03-03T00:00:00.000Z 2026-03-02T09:00:00.000Z 2026-03-02T09:00:00.000Z"
                        + " 2026-03-02T09:00:00.000Z 2026-03-02T00:00:00.000Z 2026-03-01T09:00:00.000Z"
                        + " 2026-03-01T09:00:00.000Z 2026-03-01T08:00:00.000Z 2026-03-01T08:00:00.000Z",
                all);
        assertEquals(all, pages("at", path + "limit=1").replace('|', ' '));
        assertEquals(all, pages("at", path + "limit=4").replace('|', ' '));
        assertEquals("2026-03-02T09:00:00.000Z", values("at", path + "types=achievement.completed"));
        assertEquals(
                "2026-03-02T09:00:00.000Z|2026-03-01T09:00:00.000Z|2026-03-01T08:00:00.000Z",
                pages("at", path + "types=user.created,points.level_changed&limit=1"));
        assertEquals(404, get("/admin/v1/users/nobody/timeline").statusCode());
        for (String query : List.of(
                "limit=0",
                "types=streak",
                "types=",
                "cursor=x",
                "cursor=MSAyIHg",
                "cursor=OTk5OTk5OTk5OTk5OTk5OTk5IDAgIA")) {
            assertEquals(query.equals("types=") ? 200 : 422, get(path + query).statusCode(), query);
        }
    }
}
