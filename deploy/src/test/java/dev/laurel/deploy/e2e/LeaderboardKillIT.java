package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** SIGKILL under load: afterwards leaderboards equal the totals, with every rank once. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LeaderboardKillIT {

    private static final long SEED = 20260304;
    private static final int USERS = 300;
    private static final int EVENTS_PER_LIFE = 6_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RULESET = """
            {"metrics": {"laps": {}},
             "leaderboards": {
               "all": {"status": "active", "rankBy": "metric", "metric": "laps"},
               "top": {"status": "active", "rankBy": "metric", "metric": "laps", "maxParticipants": 10}}}""";

    @TempDir
    private Path dataDir;

    private final Random random = new Random(SEED);
    private final Map<String, BigDecimal> totals = new HashMap<>();

    /** What the last of a user's events comes to is never less than what it was: so a full one is exact, too. */
    @Test
    void shouldRankByTheTotalsAfterKills() throws Exception {
        System.out.println("Seed " + SEED);
        for (int life = 0; life < 3; life++) {
            try (var laurel = LaurelProcess.standalone(dataDir); var client = laurel.client()) {
                if (life == 0) {
                    client.put("/admin/v1/ruleset", RULESET).expect(200);
                }
                produce(laurel);
                laurel.kill();
            }
        }

        try (var laurel = LaurelProcess.standalone(dataDir); var client = laurel.client()) {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertEquals(expected(USERS),
                    places(client, "all?limit=" + USERS)));
            assertEquals(expected(10), places(client, "top?limit=" + USERS));
            String best = expected(1).getFirst().split(" ")[1];
            Answer event = client.event("laps").of(best).value("1").send().expect(201);
            assertEquals(1, event.at("/leaderboards/all/rank").intValue(), event.text());
            assertEquals(1, event.at("/leaderboards/top/previousRank").intValue(), event.text());
        }
    }

    private void produce(LaurelProcess laurel) {
        Instant now = Instant.now();
        try (var log = new DirectProducer(laurel.bootstrapServers())) {
            for (int i = 0; i < EVENTS_PER_LIFE; i++) {
                String user = "u" + random.nextInt(USERS);
                // A thousandth of its own for each user, so that no two are equal, whoever was first.
                BigDecimal value = BigDecimal.valueOf(1 + random.nextInt(50));
                BigDecimal before = totals.get(user);
                if (before == null) {
                    value = value.add(new BigDecimal(user.substring(1)).movePointLeft(3));
                }
                totals.merge(user, value, BigDecimal::add);
                log.sendAside(user, now.plusMillis(i), DirectProducer.event(user, "laps", value.toPlainString()));
            }
            log.flush();
        }
    }

    private List<String> expected(int limit) {
        List<Map.Entry<String, BigDecimal>> best = totals.entrySet().stream()
                .sorted(Map.Entry.<String, BigDecimal>comparingByValue(Comparator.reverseOrder())).limit(limit)
                .toList();
        return IntStream.range(0, best.size()).mapToObj(i -> line(i + 1, best.get(i).getKey(),
                best.get(i).getValue())).toList();
    }

    private static List<String> places(LaurelClient client, String path) {
        var places = new ArrayList<String>();
        for (JsonNode place : client.get("/v1/leaderboards/" + path).expect(200).at("/rankings")) {
            places.add(line(place.get("rank").intValue(), place.get("userId").stringValue(),
                    place.get("value").decimalValue()));
        }
        return places;
    }

    private static String line(int rank, String user, BigDecimal value) {
        return rank + " " + user + " " + value.stripTrailingZeros().toPlainString();
    }
}
