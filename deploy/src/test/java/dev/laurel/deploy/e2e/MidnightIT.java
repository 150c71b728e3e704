package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests timers of all users that are due at the same moment while events arrive. {@code -Dlaurel.midnight.users}
 * sets the number of users; prints the measured times.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
final class MidnightIT {

    private static final String PATH = "/admin/v1/test-clock";
    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int USERS = Integer.getInteger("laurel.midnight.users", 2_000);
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final String RULESET = """
        {"metrics":{"laps":{"name":"Laps"}},
         "points":{"gems":{"triggers":{"daily":{"type":"time","timeUnit":"days","timeInterval":1,"points":1}}}}}\
        """;

    @Test
    void shouldAnswerEventsWhileTheTimersOfAllUsersFire() throws InterruptedException {
        try (LaurelInstance instance = LaurelInstance.startWithTestClock()) {
            instance.client().put("/admin/v1/ruleset", RULESET).expect(200);
            createUsers(instance);
            List<Double> quietMs = eventsUntil(
                    instance,
                    new CompletableFuture<Void>()
                            .completeOnTimeout(null, IS_FULL ? 3_000 : 300, TimeUnit.MILLISECONDS));

            long startedNs = System.nanoTime();
            var midnight = CompletableFuture.runAsync(() -> advanceADay(instance));
            List<Double> busyMs = eventsUntil(instance, midnight);
            double tookS = (System.nanoTime() - startedNs) / 1e9;

            midnight.join();
            assertEquals(1, gems(instance, "user-0"));
            assertEquals(1, gems(instance, "user-" + (USERS - 1)));
            System.out.printf(
                    "%,d timers of one midnight fired in %.1f s (%,.0f/s). Events before: %s. Meanwhile: %s.%n",
                    USERS, tookS, USERS / tookS, figures(quietMs), figures(busyMs));
            assertTrue(!IS_FULL || busyMs.getLast() < 5_000, figures(busyMs));
        }
    }

    private static void createUsers(LaurelInstance instance) {
        Instant now = now(instance);
        try (var producer = new DirectProducer(instance.bootstrapServers())) {
            for (int i = 0; i < USERS; i++) {
                producer.sendAside("user-" + i, now, DirectProducer.event("user-" + i, "laps", "1"));
            }
            producer.flush();
        }
        for (int i = USERS - 1; i >= Math.max(0, USERS - 20); i--) {
            String last = "/v1/users/user-" + i;
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> instance.client().get(last).status() == 200);
        }
    }

    private static void advanceADay(LaurelInstance instance) {
        Instant to = now(instance).plus(Duration.ofDays(1));
        JsonResponse answer;
        do {
            answer = instance.client().post(PATH, "{\"now\":\"" + to + "\"}");
        } while (answer.status() == 503);
        answer.expect(200);
    }

    /** Sends one event after the other, for users in all partitions. @return the durations, sorted */
    private static List<Double> eventsUntil(LaurelInstance instance, CompletableFuture<?> end) {
        var tookMs = new ArrayList<Double>();
        do {
            long startedNs = System.nanoTime();
            instance.client().record("busy-" + tookMs.size() % 50, "laps", "1");
            tookMs.add((System.nanoTime() - startedNs) / 1e6);
        } while (!end.isDone());
        Collections.sort(tookMs);
        return tookMs;
    }

    private static String figures(List<Double> sortedMs) {
        return "%,d, p50 %.1f ms, p99 %.1f ms, max %.1f ms"
                .formatted(
                        sortedMs.size(),
                        sortedMs.get(sortedMs.size() / 2),
                        sortedMs.get(sortedMs.size() * 99 / 100),
                        sortedMs.getLast());
    }

    private static Instant now(LaurelInstance instance) {
        return Instant.parse(instance.client().get(PATH).expect(200).at("/now").asString());
    }

    private static int gems(LaurelInstance instance, String user) {
        return instance.client()
                .get("/v1/users/" + user + "/points/gems")
                .expect(200)
                .at("/total")
                .asInt();
    }
}
