package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.GatewayConfig.Limits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests gateways with unusual settings on the same log. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class GatewayStoriesIT {

    private static final Duration USUAL_TIMEOUT = Limits.DEFAULT.replyTimeout();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CLIENTS = 8;
    private static final int REQUESTS_EACH = 40;
    private static final int MAX_IN_TIME = 1_000;

    @Test
    void shouldAnswerWithCommittedResultsWhenStrict(LaurelInstance instance) throws Exception {
        try (var strict = ExtraGateway.start(instance, new Limits(4096, USUAL_TIMEOUT, true))) {
            JsonResponse answer = strict.client().record("strict-1", "laps-swum", "42.5");

            assertEquals(new BigDecimal("42.5"), answer.number("/total"));
            assertEquals(80, answer.at("/points/gems/added").longValue());
            assertEquals(
                    new BigDecimal("42.5"), instance.client().user("strict-1").total("laps-swum"));
            strict.client().put("/v1/users/strict-1", "{\"name\": \"Ida\"}").expect(200);
            strict.client()
                    .patch("/v1/users/strict-none", "{\"name\": \"Ida\"}")
                    .expectError(404);
            assertNull(strict.fault());
        }
    }

    @Test
    void shouldShareRepliesWithOtherGateways(LaurelInstance instance) throws Exception {
        try (var other = ExtraGateway.start(instance, Limits.DEFAULT)) {
            for (int event = 1; event <= 20; event++) {
                LaurelClient client = event % 2 == 0 ? other.client() : instance.client();
                assertEquals(
                        BigDecimal.valueOf(event),
                        client.record("two-1", "laps-swum", "1").number("/total"));
            }
            assertNull(other.fault());
        }
    }

    @Test
    void shouldAnswerPendingWhenResultIsLateAndCountTheEvent(LaurelInstance instance) throws Exception {
        try (var hasty = ExtraGateway.start(instance, new Limits(4096, Duration.ofMillis(1), false))) {
            // A result that is not late is answered as usual.
            var answers = new ArrayList<JsonResponse>();
            do {
                answers.add(hasty.client()
                        .event("laps-swum")
                        .of("pending-1")
                        .value("4")
                        .send());
            } while (answers.getLast().status() == 201 && answers.size() < MAX_IN_TIME);
            JsonResponse answer = answers.getLast().expect(202);

            JsonShape.assertObject(
                    answer.json(),
                    "eventId uuid",
                    "metricId uuid",
                    "total num~",
                    "achievements list",
                    "currentStreak map~",
                    "points map",
                    "leaderboards map",
                    "pending bool");
            assertTrue(answer.at("/pending").booleanValue());
            assertTrue(answer.at("/total").isNull());
            assertTrue(answer.at("/currentStreak").isNull());
            assertEquals(
                    0,
                    answer.at("/achievements").size()
                            + answer.at("/points").size()
                            + answer.at("/leaderboards").size());
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> instance.client().user("pending-1").exists()
                            && instance.client()
                                    .user("pending-1")
                                    .total("laps-swum")
                                    .equals(BigDecimal.valueOf(4L * answers.size())));
            assertNull(hasty.fault());
        }
    }

    @Test
    void shouldRefuseRequestsBeyondItsSlotsAndLoseNone(LaurelInstance instance) throws Exception {
        try (var narrow = ExtraGateway.start(instance, new Limits(1, USUAL_TIMEOUT, false))) {
            Callable<List<JsonResponse>> story = () -> IntStream.range(0, REQUESTS_EACH)
                    .mapToObj(_ -> narrow.client()
                            .event("laps-swum")
                            .of("narrow-1")
                            .value("1")
                            .send())
                    .toList();

            List<JsonResponse> answers = Concurrently.run(Collections.nCopies(CLIENTS, story)).stream()
                    .flatMap(List::stream)
                    .toList();

            long accepted =
                    answers.stream().filter(answer -> answer.status() == 201).count();
            List<JsonResponse> others =
                    answers.stream().filter(answer -> answer.status() != 201).toList();
            assertTrue(accepted > 0, "nothing was accepted");
            assertTrue(!others.isEmpty(), "one slot was enough for all of them");
            for (JsonResponse answer : others) {
                answer.expectError(503);
                assertTrue(Integer.parseInt(answer.header("Retry-After")) >= 1, answer::text);
            }
            assertEquals(
                    BigDecimal.valueOf(accepted),
                    instance.client().user("narrow-1").total("laps-swum"));
            assertNull(narrow.fault());
        }
    }
}
