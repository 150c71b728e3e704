package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.e2e.WebhookReceiver.Received;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Tests the operator's calls for webhooks (docs/admin-api.md B5), and what receivers get. Each story has its own
 * webhook.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class WebhookStoriesIT {

    private static final String WEBHOOKS = "/admin/v1/webhooks";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RULESET = """
        {"metrics": {"laps": {}},
         "achievements": {"first": {"trigger": "metric", "metric": "laps", "value": 1}},
         "points": {"gems": {"triggers": {"lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}}}
        """;

    @AutoClose
    private LaurelInstance instance;

    private LaurelClient laurel;
    private WebhookReceiver receiver;
    private String webhook;
    private String secret;

    @BeforeAll
    void start() throws InterruptedException {
        instance = LaurelInstance.startWithTestClock();
        laurel = instance.client();
        laurel.put("/admin/v1/ruleset", RULESET).expect(200);
    }

    @BeforeEach
    void createWebhook() throws IOException {
        receiver = new WebhookReceiver();
        JsonResponse created = laurel.post(
                        WEBHOOKS,
                        "[{\"name\": \"CRM\", \"url\": \"" + receiver.url()
                                + "\", \"events\": [\"achievement.completed\"]}]")
                .expect(201);
        webhook = WEBHOOKS + "/" + created.string("/created/0/id");
        secret = created.string("/created/0/secret");
    }

    @AfterEach
    void deleteWebhook() {
        laurel.delete(WEBHOOKS + "?ids=" + webhook.substring(webhook.lastIndexOf('/') + 1))
                .expect(200);
        receiver.close();
    }

    private JsonResponse deliveries(String query) {
        return laurel.get(webhook + "/deliveries" + query).expect(200);
    }

    /** Waits for this number of deliveries with this status. */
    private JsonNode awaitDeliveries(String status, int count) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertEquals(
                        count, deliveries("?status=" + status).json().size()));
        return deliveries("?status=" + status).json();
    }

    @Test
    void shouldSendEventsAndShowDeliveries() throws InterruptedException {
        laurel.record("ida", "laps", "1");

        Received sent = receiver.next();
        assertEquals("POST", sent.method());
        assertEquals("application/json", sent.header("Content-Type"));
        assertEquals("1", sent.header("X-Trophy-Webhook-Attempt"));
        assertTrue(sent.isSignedWith(secret));
        assertEquals(secret, laurel.get(webhook + "/secret").expect(200).string("/secret"));
        assertEquals("achievement.completed", sent.type());
        assertEquals("ida", sent.json().at("/user/id").stringValue());
        assertEquals("first", sent.json().at("/achievement/key").stringValue());

        JsonNode delivery = awaitDeliveries("succeeded", 1).get(0);
        assertEquals(sent.header("X-Trophy-Webhook-Id"), delivery.get("id").stringValue());
        assertEquals("achievement.completed", delivery.get("event").stringValue());
        assertEquals(sent.json(), delivery.get("payload"));
        assertEquals(1, delivery.get("attempts").size());
        assertEquals(200, delivery.at("/attempts/0/responseStatus").intValue());
        assertTrue(delivery.at("/attempts/0/error").isNull());
        assertEquals(0, deliveries("?event=streak.lost").json().size());
        assertEquals(
                1, deliveries("?event=achievement.completed&limit=100").json().size());
        assertEquals(0, deliveries("?skip=1").json().size());
    }

    @Test
    void shouldResetStreakAndSendItsLoss() throws InterruptedException {
        laurel.patch(
                        WEBHOOKS,
                        "[{\"id\": \"" + webhook.substring(webhook.lastIndexOf('/') + 1)
                                + "\", \"events\": [\"streak.lost\"]}]")
                .expect(200);
        laurel.record("rex", "laps", "1");
        String users = "{\"users\": [{\"id\": \"rex\"}, {\"id\": \"nobody\"}]}";

        JsonResponse reset = laurel.post("/admin/v1/streaks/reset", users).expect(200);

        assertEquals("rex", reset.string("/resetUsers/0"));
        assertEquals("User does not exist", reset.string("/issues/0/message"));
        Received lost = receiver.next();
        assertEquals("streak.lost", lost.type());
        assertEquals("rex", lost.json().at("/user/id").stringValue());
        assertEquals(1, lost.json().at("/length").intValue());
        JsonResponse streak =
                laurel.get("/v1/users/rex/streak?historyPeriods=1").expect(200);
        assertEquals(0, streak.at("/length").intValue());
        assertFalse(streak.string("/streakHistory/0/resetAt").isEmpty());
        JsonResponse again = laurel.post("/admin/v1/streaks/reset", users).expect(200);
        assertEquals(0, again.at("/resetUsers").size());
        assertEquals("No streak to reset", again.string("/issues/0/message"));
        laurel.post("/admin/v1/streaks/restore", "{\"users\": [{\"id\": \"rex\"}]}")
                .expect(201);
        assertEquals(
                1, laurel.get("/v1/users/rex/streak").expect(200).at("/length").intValue());
    }

    @Test
    void shouldRetryAtOnceOnRequest() throws InterruptedException {
        receiver.answerWith(500);
        laurel.record("bo", "laps", "1");
        Received first = receiver.next();
        String id = first.header("X-Trophy-Webhook-Id");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertEquals(1, deliveries("").at("/0/attempts").size()));
        assertEquals("pending", deliveries("").string("/0/status"));
        assertEquals(500, deliveries("").at("/0/attempts/0/responseStatus").intValue());

        receiver.answerWith(204);
        laurel.post(webhook + "/deliveries/" + id + "/retry", "").expect(202);

        Received second = receiver.next();
        assertEquals(id, second.header("X-Trophy-Webhook-Id"));
        assertEquals("2", second.header("X-Trophy-Webhook-Attempt"));
        assertArrayEquals(first.body(), second.body());
        assertTrue(second.isSignedWith(secret));
        JsonNode delivery = awaitDeliveries("succeeded", 1).get(0);
        assertEquals(id, delivery.get("id").stringValue());
        assertEquals(204, delivery.at("/attempts/1/responseStatus").intValue());
        assertEquals(0, receiver.waiting());
    }

    /** The answer to the advance means that everything was sent, so there is nothing to wait for. */
    @Test
    void shouldMergeWhatWasAcceptedBeforeTheClockWasMoved() throws Exception {
        laurel.patch(
                        WEBHOOKS,
                        "[{\"id\": \"" + webhook.substring(webhook.lastIndexOf('/') + 1)
                                + "\", \"events\": [\"points.changed\"]}]")
                .expect(200);
        Instant now =
                Instant.parse(laurel.get("/admin/v1/test-clock").expect(200).string("/now"));
        // The log has accepted them all when the producer is closed, but few are processed.
        try (var producer = new DirectProducer(instance.bootstrapServers())) {
            for (int i = 0; i < 120; i++) {
                String user = "leap-" + i % 40;
                producer.sendAside(
                        user,
                        now,
                        "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + (1 + i / 40) + ",\"user\":{\"id\":\""
                                + user + "\"}}");
            }
            producer.flush();
        }

        laurel.post("/admin/v1/test-clock", "{\"advance\": \"PT16M\"}").expect(200);

        Map<String, List<Integer>> added = new TreeMap<>();
        for (int left = receiver.waiting(); left > 0; left--) {
            JsonNode body = receiver.next().json();
            added.computeIfAbsent(body.at("/user/id").stringValue(), _ -> new ArrayList<>())
                    .add(body.at("/points/added").intValue());
        }
        assertEquals(40, added.size());
        assertEquals(Set.of(List.of(1, 5)), Set.copyOf(added.values()), added::toString);
    }

    @Test
    void shouldSendATestOfAnyEvent() throws InterruptedException {
        String id = laurel.post(webhook + "/test", "{\"event\": \"points.level_changed\"}")
                .expect(202)
                .string("/deliveryId");

        Received sent = receiver.next();
        assertEquals(id, sent.header("X-Trophy-Webhook-Id"));
        assertEquals("points.level_changed", sent.type());
        assertTrue(sent.json().has("newLevel"), sent::type);
        assertTrue(sent.isSignedWith(secret));
        JsonNode delivery = awaitDeliveries("succeeded", 1).get(0);
        assertEquals(id, delivery.get("id").stringValue());
        assertEquals(sent.json(), delivery.get("payload"));
    }

    @Test
    void shouldSendNothingToAnInactiveWebhook() throws InterruptedException {
        String test = "{\"event\": \"streak.lost\"}";
        String id = laurel.post(webhook + "/test", test).expect(202).string("/deliveryId");
        receiver.next();
        setStatus("inactive");

        assertTrue(laurel.post(webhook + "/test", test).expectError(422).contains("inactive"));
        assertTrue(laurel.post(webhook + "/deliveries/" + id + "/retry", "")
                .expectError(422)
                .contains("inactive"));
        laurel.record("di", "laps", "1");
        setStatus("active");
        laurel.record("ed", "laps", "1");

        assertEquals("ed", receiver.next().json().at("/user/id").stringValue());
        assertEquals(
                List.of("ed"),
                deliveries("?event=achievement.completed")
                        .json()
                        .valueStream()
                        .map(delivery -> delivery.at("/payload/user/id").stringValue())
                        .toList());
    }

    private void setStatus(String status) {
        laurel.patch(
                        WEBHOOKS,
                        "[{\"id\": \"" + webhook.substring(webhook.lastIndexOf('/') + 1) + "\", \"status\": \"" + status
                                + "\"}]")
                .expect(200);
    }
}
