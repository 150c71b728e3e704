package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.e2e.LeaderboardLoad.Way;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * SIGKILL under load right after an event was accepted: afterwards leaderboards equal the totals, with every rank
 * once, and final results are unchanged. {@code -Dlaurel.kill.lives=…} sets the number of kills (1; 10 with {@code
 * -Dlaurel.full=true}), {@code -Dlaurel.kill.seed=…} selects others.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class LeaderboardKillIT {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final long SEED = Long.getLong("laurel.kill.seed", 20260304);
    private static final int LIVES = Integer.getInteger("laurel.kill.lives", IS_FULL ? 10 : 1);
    /** With the full number of kills, more than 10,000 events are accepted over HTTP, and ten times as many directly. */
    private static final int MAX_ANSWERED = IS_FULL ? 2_500 : 150;

    private static final int SMALL = 20;
    private static final int SMALL_IN_CITY = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CLOCK = "/admin/v1/test-clock";

    private final SplittableRandom random = new SplittableRandom(SEED);

    @TempDir
    private Path dataDir;

    @Test
    void shouldRankByTheTotalsAfterKills() throws Exception {
        killAndCompare(null);
    }

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldRankByTheTotalsAfterKillsWhileTheBrokerRunsOn() throws Exception {
        LaurelProcess broker = LaurelProcess.launch(
                "broker", "--port", "0", "--data-dir", dataDir.resolve("broker").toString());
        try (broker) {
            killAndCompare(broker.awaitReady().bootstrapServers());
        }
    }

    /** @param kafka null: each life has its own broker, which is killed with it */
    private void killAndCompare(String kafka) throws Exception {
        System.out.println("-Dlaurel.kill.seed=" + SEED);
        for (int life = 0; life < LIVES; life++) {
            try (var laurel = LaurelProcess.standalone(dataDir, kafka);
                    var client = laurel.client()) {
                if (life == 0) {
                    client.put("/admin/v1/ruleset", ruleset()).expect(200);
                } else {
                    assertLimitedOnesAreExact(client, awaitTotals(laurel, client));
                }
                killUnderLoad(laurel, Instant.now(), Way.WILD);
            }
        }
        try (var laurel = LaurelProcess.standalone(dataDir, kafka);
                var client = laurel.client()) {
            ExpectedRankings truth = awaitTotals(laurel, client);
            assertUnlimitedOnesAreExact(client, truth);
            assertLimitedOnesAreExact(client, truth);
            killUnderLoad(laurel, Instant.now(), Way.STEADY);
        }
        try (var laurel = LaurelProcess.standalone(dataDir, kafka);
                var client = laurel.client()) {
            ExpectedRankings truth = awaitTotals(laurel, client);
            assertUnlimitedOnesAreExact(client, truth);
            assertLimitedOnesAreExact(client, truth);
            assertNextEventFindsItsRank(client, truth);
        }
    }

    private static String ruleset() {
        return """
            {"metrics": {"laps": {}},
             "attributes": {"user": {"city": {}}},
             "leaderboards": {
               "all": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01"},
               "top": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01",
                 "maxParticipants": %d},
               "by-city": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01",
                 "breakdownAttributes": ["city"]},
               "city-top": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01",
                 "breakdownAttributes": ["city"], "maxParticipants": %d},
               "streaks": {"status": "active", "rankBy": "streak", "start": "2026-01-01"}}}\
            """.formatted(SMALL, SMALL_IN_CITY);
    }

    /** Kills the process right after a response, while other events are in progress. */
    private void killUnderLoad(LaurelProcess laurel, Instant now, Way way) throws InterruptedException {
        int events = 1 + random.nextInt(MAX_ANSWERED);
        try (var load = LeaderboardLoad.start(laurel, random.split(), now, way, events)) {
            load.awaitAccepted();
            load.expectEnd();
            laurel.kill();
        }
    }

    private static ExpectedRankings awaitTotals(LaurelProcess laurel, LaurelClient client) {
        ExpectedRankings truth = ExpectedRankings.of(laurel.bootstrapServers());
        assertTrue(truth.events() > 0, "nothing is in the log");
        awaitEqual(truth.ranked(null, LeaderboardLoad.USERS), client, "all");
        System.out.printf(
                "%,d events are ranked, %d users.%n",
                truth.events(), truth.ranked(null, 1_000).size());
        return truth;
    }

    /** Leaderboards are in several partitions, whose lags may differ. */
    private static void awaitEqual(List<String> expected, LaurelClient client, String board) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertEquals(expected, lines(client, board), board));
    }

    private static void assertUnlimitedOnesAreExact(LaurelClient client, ExpectedRankings truth) {
        for (String city : LeaderboardLoad.CITIES) {
            awaitEqual(truth.ranked(city, LeaderboardLoad.USERS), client, "by-city?userAttributes=city:" + city);
        }
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertStreaksAreThoseOfUsers(client));
    }

    private static void assertStreaksAreThoseOfUsers(LaurelClient client) {
        Map<String, Integer> expected = new TreeMap<>();
        for (int i = 0; i < LeaderboardLoad.USERS; i++) {
            JsonResponse streak = client.get("/v1/users/u" + i + "/streak");
            if (streak.status() == 200 && streak.at("/length").intValue() > 0) {
                expected.put("u" + i, streak.at("/length").intValue());
            }
        }
        Map<String, Integer> ranked = new TreeMap<>();
        int rank = 0;
        int before = Integer.MAX_VALUE;
        for (JsonNode place : places(client, "streaks")) {
            int length = place.get("value").intValue();
            assertEquals(++rank, place.get("rank").intValue());
            assertTrue(length <= before, () -> "out of order: " + place);
            ranked.put(place.get("userId").stringValue(), length);
            before = length;
        }
        assertEquals(expected, ranked);
        assertNotEquals(1, Set.copyOf(ranked.values()).size(), "all streaks are the same");
    }

    private static void assertLimitedOnesAreExact(LaurelClient client, ExpectedRankings truth) {
        assertEquals(SMALL, truth.ranked(null, SMALL).size());
        awaitEqual(truth.ranked(null, SMALL), client, "top");
        for (String city : LeaderboardLoad.CITIES) {
            awaitEqual(truth.ranked(city, SMALL_IN_CITY), client, "city-top?userAttributes=city:" + city);
        }
    }

    private static List<JsonNode> effects(LaurelProcess laurel, String type) {
        var facts = new ArrayList<JsonNode>();
        for (ConsumerRecord<byte[], byte[]> record :
                new TopicReader(laurel.bootstrapServers()).readAll("laurel.effects")) {
            JsonNode fact = JsonResponse.parse(new String(record.value(), StandardCharsets.UTF_8));
            if (fact.get("type").stringValue().equals(type)) {
                facts.add(fact);
            }
        }
        return facts;
    }

    private static void assertNextEventFindsItsRank(LaurelClient client, ExpectedRankings truth) {
        String best = truth.ranked(null, 1).getFirst().split(" ")[1];
        JsonResponse event = client.record(best, "laps", "1");
        for (String board : List.of("all", "top")) {
            assertEquals(1, event.at("/leaderboards/" + board + "/previousRank").intValue(), event.text());
            assertEquals(1, event.at("/leaderboards/" + board + "/rank").intValue(), event.text());
        }
    }

    private static List<JsonNode> places(LaurelClient client, String board) {
        return client.get("/v1/leaderboards/" + board + (board.contains("?") ? "&" : "?") + "limit=1000")
                .expect(200)
                .at("/rankings")
                .valueStream()
                .toList();
    }

    private static List<String> lines(LaurelClient client, String board) {
        return places(client, board).stream().map(LeaderboardKillIT::line).toList();
    }

    private static String line(JsonNode place) {
        return ExpectedRankings.line(
                place.get("rank").intValue(),
                place.get("userId").stringValue(),
                place.get("value").decimalValue());
    }

    // Final results.

    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldNotChangeFinalResults() throws Exception {
        System.out.println("-Dlaurel.kill.seed=" + SEED);
        LocalDate day;
        Map<String, String> before;
        Set<String> told;
        try (var laurel = LaurelProcess.withTestClock(dataDir);
                var client = laurel.client()) {
            day = LocalDate.ofInstant(now(client), ZoneOffset.UTC).plusDays(1);
            goTo(client, day, "08:00:00");
            client.put("/admin/v1/ruleset", rulesetOfRuns(day)).expect(200);
            load(laurel, client);
            // The run has ended and accepts only late events.
            goTo(client, day.plusDays(1), "11:00:00");
            load(laurel, client);
            goTo(client, day.plusDays(1), "12:00:00");
            before = whatIsOver(client, day);
            told = awaitFinished(laurel, day);
            killUnderLoad(laurel, now(client), Way.WILD);
        }
        for (int life = 1; life < LIVES; life++) {
            try (var laurel = LaurelProcess.withTestClock(dataDir);
                    var client = laurel.client()) {
                killUnderLoad(laurel, now(client), Way.WILD);
            }
        }
        try (var laurel = LaurelProcess.withTestClock(dataDir);
                var client = laurel.client()) {
            awaitTotals(laurel, client);
            assertSame(before, whatIsOver(client, day));
            goTo(client, day.plusDays(3), "12:00:00");
            assertSame(before, whatIsOver(client, day));
            assertEquals(told, finished(laurel, day), "what was told of its end");
        }
    }

    private static String rulesetOfRuns(LocalDate day) {
        return """
            {"metrics": {"laps": {}},
             "attributes": {"user": {"city": {}}},
             "leaderboards": {
               "all": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01"},
               "daily": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01",
                 "runUnit": "day", "runInterval": 1, "maxParticipants": %d},
               "daily-city": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2026-01-01",
                 "runUnit": "day", "runInterval": 1, "breakdownAttributes": ["city"]},
               "ends": {"status": "active", "rankBy": "streak", "start": "2026-01-01", "end": "%s"}}}\
            """.formatted(SMALL, day);
    }

    private static Instant now(LaurelClient client) {
        return Instant.parse(client.get(CLOCK).expect(200).string("/now"));
    }

    private static void goTo(LaurelClient client, LocalDate date, String time) {
        client.post(CLOCK, "{\"now\":\"" + date + "T" + time + "Z\"}").expect(200);
    }

    private void load(LaurelProcess laurel, LaurelClient client) throws InterruptedException {
        try (var load =
                LeaderboardLoad.start(laurel, random.split(), now(client), Way.WILD, LeaderboardLoad.USERS / 2)) {
            load.awaitAccepted();
        }
    }

    /** Returns all reads of the runs up to that day, by path. */
    private static Map<String, String> whatIsOver(LaurelClient client, LocalDate day) {
        var texts = new LinkedHashMap<String, String>();
        var paths = new ArrayList<>(
                List.of("/v1/leaderboards/daily?limit=1000&run=" + day, "/v1/leaderboards/ends?limit=1000"));
        for (String city : LeaderboardLoad.CITIES) {
            paths.add("/v1/leaderboards/daily-city?limit=1000&userAttributes=city:" + city + "&run=" + day);
        }
        for (String path : paths) {
            JsonResponse answer = client.get(path).expect(200);
            assertTrue(answer.at("/rankings").size() > 1, answer.text());
            texts.put(path, answer.text());
        }
        int days = 0;
        for (int i = 0; i < LeaderboardLoad.USERS; i++) {
            for (String board : List.of("daily", "daily-city", "ends")) {
                String path = "/v1/users/u" + i + "/leaderboards/" + board + "?numEvents=100"
                        + (board.equals("ends") ? "" : "&run=" + day);
                texts.put(path, client.get(path).expect(200).text());
            }
            String path = "/v1/users/u" + i + "/leaderboards/all?numEvents=100";
            String past = client.get(path)
                    .expect(200)
                    .at("/history")
                    .valueStream()
                    .filter(entry ->
                            !LocalDate.parse(entry.get("date").stringValue()).isAfter(day))
                    .map(JsonNode::toString)
                    .toList()
                    .toString();
            texts.put(path, past);
            days += past.length();
        }
        assertTrue(days > 2 * LeaderboardLoad.USERS, "nobody has a history");
        return texts;
    }

    private static void assertSame(Map<String, String> before, Map<String, String> after) {
        before.forEach((path, text) -> assertEquals(text, after.get(path), path));
    }

    /** Events about finished runs may repeat, but must be equal. */
    private static Set<String> finished(LaurelProcess laurel, LocalDate day) {
        var told = new HashSet<String>();
        for (JsonNode fact : effects(laurel, "leaderboard.finished")) {
            if (fact.get("runEnd").stringValue().equals(day.toString())) {
                told.add(fact.toString());
            }
        }
        return told;
    }

    private static Set<String> awaitFinished(LaurelProcess laurel, LocalDate day) {
        int groups = 2 + LeaderboardLoad.CITIES.size();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertEquals(groups, finished(laurel, day).size()));
        return finished(laurel, day);
    }
}
