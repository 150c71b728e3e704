package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Measures reads about all users, whose number is {@code -Dlaurel.account.users} (600; 100,000 with {@code
 * -Dlaurel.full=true}), and prints their durations. With many users, the durations are also checked.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class AccountReadsIT {

    private static final int USERS =
            Integer.getInteger("laurel.account.users", Boolean.getBoolean("laurel.full") ? 100_000 : 600);
    private static final boolean IS_MEASURED = USERS >= 100_000;
    private static final int READS = IS_MEASURED ? 1_000 : 20;
    private static final double MAX_P50_MS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private static final int CITIES = 20;

    /** A million users fill the places of each of them. */
    private static final int CLUBS = 1_000;

    private static final int TOTALS = 5_000;
    private static final String RULESET = """
        {"metrics":{"laps":{"name":"Laps"}},
         "attributes":{"user":{"city":{},"plan":{},"club":{}}},
         "leaderboards":{"clubs":{"status":"active","rankBy":"metric","metric":"laps","start":"2020-01-01",
           "breakdownAttributes":["club"]}},
         "streak":{"frequency":"daily"},
         "achievements":{"one":{"name":"One","trigger":"metric","metric":"laps","value":1},
           "hundred":{"name":"Hundred","trigger":"metric","metric":"laps","value":100},
           "turku":{"name":"Turku","trigger":"api","userAttributes":{"city":"City 1"}}},
         "points":{"gems":{
           "levels":{"otter":{"name":"Otter","points":10},"seal":{"name":"Seal","points":1000}},
           "triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}}}\
        """;

    private static final Map<String, String> PATHS = paths();

    private static Map<String, String> paths() {
        var paths = new LinkedHashMap<String, String>();
        paths.put("achievements", "/v1/achievements");
        paths.put("summary", "/v1/points/gems/summary");
        paths.put("summary by city", "/v1/points/gems/summary?userAttributes=city:City%201");
        paths.put("level summary", "/v1/points/gems/level-summary");
        paths.put("streak rankings", "/v1/streaks/rankings?limit=100");
        paths.put("top users", "/admin/v1/analytics/top-users?metric=laps");
        paths.put("top users of 30 days", "/admin/v1/analytics/top-users?range=30d");
        paths.put(
                "report of points",
                "/admin/v1/analytics/points?from=" + LocalDate.now().minusDays(365));
        paths.put(
                "report of achievements",
                "/admin/v1/analytics/achievements?from=" + LocalDate.now().minusDays(365));
        paths.put("report of leaderboards", "/admin/v1/analytics/leaderboards");
        paths.put("a user's streak", "/v1/users/user-7/streak");
        paths.put("a user's timeline", "/admin/v1/users/user-7/timeline?limit=100");
        paths.put("users by id", "/admin/v1/users?sort=id&limit=100");
        paths.put("users by last activity", "/admin/v1/users?sort=lastActivity&limit=100");
        paths.put("users by a word of their names", "/admin/v1/users?sort=match&search=NUMERO%205&limit=100");
        return paths;
    }

    @Test
    void shouldAnswerReadsAboutAllUsers() throws InterruptedException {
        try (LaurelInstance instance = LaurelInstance.start()) {
            instance.client().put("/admin/v1/ruleset", RULESET).expect(200);
            createUsers(instance);
            expectTheTruth(instance.client());
            measure(instance.client());

            long restartMs = instance.restart();
            long startedNs = System.nanoTime();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() ->
                            instance.client().get("/v1/points/gems/summary").status() == 200);
            System.out.printf(
                    "After a restart of %,d ms, %,d users were counted %,d ms later.%n",
                    restartMs, USERS, (System.nanoTime() - startedNs) / 1_000_000);
            expectTheTruth(instance.client());
        }
    }

    /** User i was active the day before yesterday if i is divisible by four, yesterday if it is even, and today. */
    private static void createUsers(LaurelInstance instance) {
        Instant now = Instant.now();
        try (var producer = new DirectProducer(instance.bootstrapServers())) {
            for (int day = 2; day >= 0; day--) {
                for (int i = 0; i < USERS; i++) {
                    if (i % (1 << day) == 0) {
                        producer.sendAside(
                                "user-" + i, now.minus(day, ChronoUnit.DAYS), event(i, day == 0 ? i % TOTALS + 1 : 1));
                    }
                }
            }
            producer.flush();
        }
        for (int i = USERS - 1; i >= USERS - 20; i--) {
            String last = "/v1/users/user-" + i + "/metrics/laps";
            int total = i % TOTALS + 1;
            Awaitility.await().atMost(PATIENCE).until(() -> {
                JsonResponse answer = instance.client().get(last);
                return answer.status() == 200 && answer.number("/current").intValue() >= total;
            });
        }
        // No other events are in progress.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() ->
                        assertEquals(USERS, users(instance.client().get("/v1/points/gems/level-summary")) + lowest()));
    }

    private static String event(int user, int value) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + value + ",\"user\":{\"id\":\"user-" + user
                + "\",\"name\":\"Ida Número " + user + "\",\"attributes\":{\"city\":\"City " + user % CITIES
                + "\",\"plan\":\"" + user % 3
                + "\",\"club\":\"Club " + user % CLUBS + "\"}}}";
    }

    private static int totalOf(int user) {
        return user % TOTALS + 1 + (user % 2 == 0 ? 1 : 0) + (user % 4 == 0 ? 1 : 0);
    }

    /** The 100 users with the highest totals. */
    private static List<String> most() {
        return IntStream.range(0, USERS)
                .boxed()
                .sorted(Comparator.comparing((Integer user) -> -totalOf(user)).thenComparing(user -> "user-" + user))
                .limit(100)
                .map(user -> "user-" + user + " " + totalOf(user))
                .toList();
    }

    /** Users below every level. */
    private static long lowest() {
        return count(user -> totalOf(user) <= 10);
    }

    private static long count(IntPredicate wanted) {
        return IntStream.range(0, USERS).filter(wanted).count();
    }

    private static long users(JsonResponse answer) {
        long users = 0;
        for (JsonNode part : answer.expect(200).json()) {
            users += part.get("users").longValue();
        }
        return users;
    }

    private static void expectTheTruth(LaurelClient laurel) {
        assertEquals(USERS, users(laurel.get("/v1/points/gems/summary")));
        for (JsonNode range : laurel.get("/v1/points/gems/summary?userAttributes=city:City%201,plan:2")
                .json()) {
            assertEquals(
                    count(user -> user % CITIES == 1
                            && user % 3 == 2
                            && totalOf(user) >= range.get("from").longValue()
                            && totalOf(user) <= range.get("to").longValue()),
                    range.get("users").longValue(),
                    range::toString);
        }
        assertEquals(
                count(user -> totalOf(user) > 1_000),
                laurel.get("/v1/points/gems/level-summary").at("/1/users").longValue());
        for (String range : List.of("all", "30d")) {
            JsonNode top = laurel.get("/admin/v1/analytics/top-users?metric=laps&range=" + range)
                    .expect(200)
                    .at("/series/0");
            assertEquals(
                    most(),
                    IntStream.range(0, top.get("id").size())
                            .mapToObj(i -> top.get("id").get(i).stringValue() + " "
                                    + top.get("value").get(i))
                            .toList());
        }
        expectTheClubs(laurel);
        JsonNode best = laurel.get("/v1/streaks/rankings?limit=100").expect(200).json();
        assertEquals(100, best.size());
        for (JsonNode user : best) {
            assertEquals(3, user.get("streakLength").intValue());
            assertEquals(0, Integer.parseInt(user.get("userId").stringValue().substring(5)) % 4);
        }
        String first = best.get(0).get("userId").stringValue();
        assertEquals(
                1, laurel.get("/v1/users/" + first + "/streak").number("/rank").intValue());
        // Odd users were active today, at the same time.
        assertEquals(
                "user-599",
                laurel.get("/admin/v1/users?search=USER-599&limit=1").string("/0/id"));
        expectTheUsers(laurel);
    }

    /** Users of all partitions, found and listed by the index, which events have written. */
    private static void expectTheUsers(LaurelClient laurel) {
        assertEquals(
                "user-599",
                laurel.get("/admin/v1/users?sort=match&search=NUMERO%20599&limit=1")
                        .expect(200)
                        .string("/0/id"));
        var ids = IntStream.range(0, Math.min(USERS, 600))
                .mapToObj(i -> "user-" + i)
                .filter(id -> id.startsWith("user-59"))
                .sorted()
                .toList();
        JsonNode found =
                laurel.get("/admin/v1/users?sort=id&search=user-59&limit=11").json();
        assertTrue(
                IS_MEASURED
                        || ids.equals(found.valueStream()
                                .map(user -> user.get("id").stringValue())
                                .toList()),
                found::toString);

        var listed = new HashSet<String>();
        String latest = "9";
        String next = "";
        int pages = Math.min(USERS, 1_000) / 100;
        for (int page = 0; page < pages; page++) {
            JsonResponse users = laurel.get("/admin/v1/users?sort=lastActivity&limit=100" + next)
                    .expect(200);
            for (JsonNode user : users.json()) {
                String at = user.get("lastActivity").stringValue();
                assertTrue(IS_MEASURED || latest.compareTo(at) >= 0, () -> "not in order: " + users.text());
                latest = at;
                assertTrue(listed.add(user.get("id").stringValue()), () -> "listed twice: " + user);
            }
            assertEquals(USERS == 100 * (page + 1), users.header("X-Laurel-Next") == null);
            next = "&cursor=" + users.header("X-Laurel-Next");
        }
        assertEquals(100 * pages, listed.size());

        JsonNode timeline = laurel.get("/admin/v1/users/user-8/timeline?limit=100")
                .expect(200)
                .json();
        assertEquals(
                3,
                timeline.valueStream()
                        .filter(entry -> entry.get("type").stringValue().equals("points.awarded"))
                        .count());
        assertEquals(
                "user.created",
                timeline.valueStream()
                        .map(entry -> entry.get("type").stringValue())
                        .filter(type -> !type.startsWith("streak."))
                        .reduce("", (_, last) -> last));
    }

    /** Leaderboards may rank the last users after the ledger has counted them. */
    private static void expectTheClubs(LaurelClient laurel) {
        int[] totals =
                IntStream.range(0, USERS).map(AccountReadsIT::totalOf).sorted().toArray();
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode clubs =
                    laurel.get("/admin/v1/analytics/leaderboards").expect(200).at("/series/0");
            assertEquals(USERS, clubs.get("participants").intValue());
            assertEquals(
                    USERS,
                    clubs.get("histogram")
                            .valueStream()
                            .mapToInt(JsonNode::intValue)
                            .sum());
            assertEquals(totals[0], clubs.get("lowest").intValue());
            assertEquals(totals[USERS - 1], clubs.get("highest").intValue());
        });
    }

    private static void measure(LaurelClient laurel) {
        PATHS.forEach((name, path) -> {
            var tookMs = new double[READS];
            for (int i = -READS / 4; i < READS; i++) {
                long startedNs = System.nanoTime();
                laurel.get(path).expect(200);
                if (i >= 0) {
                    tookMs[i] = (System.nanoTime() - startedNs) / 1e6;
                }
            }
            Arrays.sort(tookMs);
            double p50 = tookMs[READS / 2];
            System.out.printf("%,d users, %s: p50 %.2f ms, p99 %.2f ms%n", USERS, name, p50, tookMs[READS * 99 / 100]);
            assertTrue(!IS_MEASURED || p50 < MAX_P50_MS, name);
        });
        long startedNs = System.nanoTime();
        laurel.get("/admin/v1/users?search=ser-77").expect(200);
        System.out.printf("%,d users, a search of users: %.0f ms%n", USERS, (System.nanoTime() - startedNs) / 1e6);
    }
}
