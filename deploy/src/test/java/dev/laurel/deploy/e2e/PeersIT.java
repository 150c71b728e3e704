package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two nodes that share users and leaderboards: both give the same responses, and one responds for the other
 * after that has ended.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PeersIT {

    private static final int USERS = 12;
    private static final String STALE = "X-Laurel-Stale";
    private static final String RULESET = """
        {"metrics": {"laps": {}}, "attributes": {"user": {"city": {}, "club": {}}},
         "achievements": {"ten": {"name": "Ten", "trigger": "metric", "metric": "laps", "value": 10}},
         "points": {"gems": {"levels": {"seal": {"name": "Seal", "points": 20}},
           "boosts": {"all": {"name": "All", "start": "2020-01-01", "multiplier": 1.5}},
           "triggers": {"lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 2}}}},
         "streak": {"frequency": "daily"},
         "webhooks": {"crm": {"url": "https://crm.example/hook", "events": ["streak.lost"]}},
         "leaderboards": {"cities": {"status": "active", "rankBy": "metric", "metric": "laps",
           "breakdownAttributes": ["city", "club"], "spreadGroups": true}, %s}}\
        """.formatted(List.of("b0", "b1", "b2", "b3").stream()
            .map(key -> "\"" + key + "\": {\"name\": \"" + key
                    + "\", \"status\": \"active\", \"rankBy\": \"metric\", \"metric\": \"laps\", \"start\":"
                    + " \"2026-01-01\"}")
            .collect(Collectors.joining(",")));

    /** Merges the groups of the spread leaderboard, which both nodes have. */
    private static final String ALL_CITIES = "/v1/leaderboards/cities?limit=100&userAttributes=club:swim";

    /** Excluded, because they change with every request: the last use of a key, and the time of an export. */
    private static final Pattern TIMES = Pattern.compile("\"(lastUsed[A-Za-z]*|exported)\":(null|\"[^\"]*\")");

    /** Excluded: routes of other roles, of the process itself, with another kind of body, or without an end. */
    private static final Set<String> NOT_COMPARED = Set.of(
            "/admin/v1/session/oidc",
            "/admin/v1/session/oidc/callback",
            "/metrics",
            "/healthz",
            "/readyz",
            "/v1/schemas",
            "/v1/schemas/{name}",
            "/v1/openapi",
            "/v1/openapi.yaml",
            "/admin/v1/openapi",
            "/admin/v1/openapi.yaml",
            "/admin/v1/analytics/live",
            // Needs the token of an email; PeersTest shows the page from any node.
            "/unsubscribe/{token}",
            // Each process answers from its own point of view.
            "/admin/v1/system",
            "/admin/v1/health",
            "/admin/v1/diagnostics");

    @TempDir
    private Path dir;

    private static String user(int number) {
        return "user-" + number;
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .pollInSameThread();
    }

    @Test
    void shouldAnswerTheSameFromBothNodesAndForADeadNode() throws Exception {
        try (var cluster = new PeerCluster(dir)) {
            LaurelClient gateway = cluster.gateway();
            gateway.put("/admin/v1/ruleset", RULESET).expect(200);
            await().until(() -> cluster.first().owners() == 2
                    && cluster.first().isReady()
                    && cluster.second().isReady());
            // For nobody a day ends while the answers are compared.
            var zone = SwimClub.zoneWhereItIsNoon();
            for (int i = 0; i < USERS; i++) {
                gateway.put(
                                "/v1/users/" + user(i),
                                "{\"tz\": \"" + zone + "\", \"attributes\": {\"city\": \"city-" + i / 2
                                        + "\", \"club\": \"swim\"}}")
                        .expect(200);
                gateway.event("laps")
                        .of(user(i))
                        .value(Integer.toString(i + 5))
                        .send()
                        .expect(201);
            }
            gateway.post(
                            "/admin/v1/streaks/pauses",
                            "{\"pauses\": [{\"userId\": \"user-3\", "
                                    + "\"start\": \"2999-07-05\", \"end\": \"2999-07-18\"}]}")
                    .expect(201);

            Map<String, JsonResponse> answers = assertSameOnBoth(cluster);
            assertStaleResponsesAreMarked(cluster, answers);
            cluster.second().close();
            await().untilAsserted(() -> answers.forEach((path, before) -> {
                JsonResponse now = cluster.first().client().get(path).expect(200);
                assertEquals(comparable(before), comparable(now), path);
                assertNull(now.header(STALE), path);
            }));
        }
    }

    /** @return by path */
    private static Map<String, JsonResponse> assertSameOnBoth(PeerCluster cluster) {
        Map<String, JsonResponse> answers = new LinkedHashMap<>();
        List<String> paths = paths(cluster);
        await().untilAsserted(() -> {
            JsonResponse places = cluster.first()
                    .client()
                    .get("/v1/leaderboards/b3?limit=100")
                    .expect(200);
            assertEquals(USERS, places.at("/rankings").size());
            assertEquals(
                    places.at("/rankings"),
                    cluster.first().client().get(ALL_CITIES).expect(200).at("/rankings"));
            cluster.second().client().get("/v1/streaks/rankings").expect(200); // all events are counted
            cluster.first().client().get("/v1/users/user-0/wrapped").expect(200);
        });
        for (String path : paths) {
            await().untilAsserted(() -> {
                JsonResponse one = cluster.first().client().get(path).expect(200);
                JsonResponse other = cluster.second().client().get(path).expect(200);
                assertEquals(comparable(one), comparable(other), path);
                assertNull(one.header(STALE), path);
                answers.put(path, one);
            });
        }
        return answers;
    }

    private static String comparable(JsonResponse answer) {
        return TIMES.matcher(answer.text()).replaceAll("");
    }

    /** Returns each route of a node with existing ids; routes of users for each user. */
    private static List<String> paths(PeerCluster cluster) {
        LaurelClient client = cluster.first().client();
        Map<String, String> ids = Map.of("{systemId}", id(client, "points"));
        var paths = new ArrayList<String>();
        var open = new TreeSet<String>();
        for (String route : cluster.first().routes()) {
            String template = route.substring(route.indexOf(' ') + 1);
            if (!route.startsWith("GET ") || NOT_COMPARED.contains(template)) {
                continue;
            }
            if (template.startsWith("/v1/users/{id}") || template.startsWith("/admin/v1/users/{id}")) {
                for (int i = 0; i < USERS; i++) {
                    paths.add(withQuery(template.replace("{id}", user(i)).replace("{key}", keyOf(template))));
                }
            } else if (template.equals("/v1/leaderboards/{key}")) {
                List.of("b0", "b1", "b2", "b3").forEach(key -> paths.add("/v1/leaderboards/" + key));
                paths.add(ALL_CITIES);
                for (int i = 0; i < USERS; i++) {
                    paths.add("/v1/users/" + user(i) + "/leaderboards/cities");
                    paths.add("/v1/leaderboards/cities?userAttributes=club:swim,city:city-" + i / 2);
                }
            } else if (!template.contains("{")) {
                paths.add(withQuery(template));
            } else if (template.startsWith("/v1/points/")) {
                paths.add(template.replace("{key}", "gems"));
            } else if (ids.keySet().stream().anyMatch(template::contains) && !template.contains("{id}")) {
                paths.add(template.replace("{systemId}", ids.get("{systemId}")));
            } else if (template.equals("/admin/v1/achievements/{id}")) {
                paths.add(template.replace("{id}", id(client, "achievements")));
            } else {
                open.add(template);
            }
        }
        // The other routes show rules and keys, which every node has, or repeat a route under another mount.
        open.removeIf(template -> template.matches("/(api|console|elements)/.*"));
        assertTrue(open.stream().allMatch(template -> template.startsWith("/admin/v1/")), open.toString());
        paths.removeIf(path -> path.equals("/admin/v1/tenants")
                || path.startsWith("/admin/v1/ruleset/")
                || path.matches("/(console|elements).*"));
        assertFalse(paths.isEmpty());
        return paths;
    }

    private static String id(LaurelClient client, String kind) {
        return client.get("/admin/v1/" + kind).expect(200).string("/0/id");
    }

    private static String keyOf(String template) {
        return template.contains("/metrics/") ? "laps" : template.contains("/points/") ? "gems" : "b1";
    }

    private static String withQuery(String path) {
        if (path.endsWith("/event-summary")) {
            return path + "?aggregation=daily&startDate=2026-01-01&endDate=2026-01-31";
        }
        if (path.endsWith("/streaks")) {
            return path.startsWith("/admin") ? path : path + "?userIds=user-0,user-1,user-2,user-3,user-4,nobody";
        }
        return path.endsWith("/achievements") && path.contains("/users/") ? path + "?includeIncomplete=true" : path;
    }

    /** The second node does not respond: its users have copies, its leaderboards have none. */
    private static void assertStaleResponsesAreMarked(PeerCluster cluster, Map<String, JsonResponse> answers) {
        cluster.second().hangUp();
        LaurelClient client = cluster.first().client();
        int stale = 0;
        for (int i = 0; i < USERS; i++) {
            String path = "/v1/users/" + user(i);
            String expected = answers.get(path).text();
            // A copy contains an accepted event as soon as it is committed.
            await().untilAsserted(() ->
                    assertEquals(expected, client.get(path).expect(200).text()));
            stale += client.get(path).expect(200).header(STALE) == null ? 0 : 1;
            assertEquals(200, client.get(path + "/achievements").status());
        }
        assertTrue(stale > 0 && stale < USERS, stale + " of " + USERS + " users were shown from a copy");
        // A copy may not contain an existing user yet, so it does not deny that a user exists.
        long undecided = IntStream.range(0, USERS)
                .mapToObj(i -> client.getOnce("/v1/users/stranger-" + i))
                .filter(answer -> {
                    assertNull(answer.header(STALE), answer.text());
                    return answer.status() == 503 && "1".equals(answer.header("Retry-After"))
                            || answer.expect(404) == null;
                })
                .count();
        assertTrue(
                undecided > 0 && undecided < USERS,
                undecided + " of " + USERS + " strangers were looked for in a copy");
        // Every node has the counters of all users.
        assertEquals(
                answers.get("/v1/achievements").text(),
                client.get("/v1/achievements").expect(200).text());
        Set<Integer> ofBoards = List.of("b0", "b1", "b2", "b3").stream()
                .map(key -> client.getOnce("/v1/leaderboards/" + key).status())
                .collect(Collectors.toSet());
        assertEquals(Set.of(200, 503), ofBoards);
    }
}
