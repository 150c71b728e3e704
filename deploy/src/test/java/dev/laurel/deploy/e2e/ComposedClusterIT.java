package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the wiring of compose.yaml with real processes: three brokers, two nodes, three gateways, delivery, and the
 * rules of the ingress. Because of its nine processes it only runs with {@code -Dlaurel.cluster=true}.
 */
@EnabledIfSystemProperty(named = "laurel.cluster", matches = "true")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ComposedClusterIT {

    private static final int USERS = 40;
    private static final int EVENTS = 400;

    /** Exit code of a JVM after SIGTERM. */
    private static final int SIGTERM = 143;

    private static final Duration FOLLOWED = Duration.ofSeconds(20);

    /** Routes that exist only with virtual time or are not reachable from outside. */
    private static final List<String> NOT_HERE = List.of("/admin/v1/test-clock", "/metrics");

    private static ComposedCluster cluster;
    private static LaurelClient laurel;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        long startedNs = System.nanoTime();
        cluster = ComposedCluster.start(folder);
        laurel = cluster.client();
        System.out.printf("the cluster of compose.yaml is ready after %.1f s%n", (System.nanoTime() - startedNs) / 1e9);
        laurel.put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
    }

    @AfterAll
    static void stop() {
        if (laurel != null) {
            laurel.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void shouldCountEveryEventOnceThroughAnyProcess() throws Exception {
        var expected = new TreeMap<String, Integer>();
        var events = new ArrayList<Callable<JsonResponse>>();
        for (int i = 0; i < EVENTS; i++) {
            String user = "swimmer-" + i % USERS;
            int laps = 1 + i % 7;
            expected.merge(user, laps, Integer::sum);
            events.add(() -> laurel.event("laps-swum")
                    .of(user)
                    .value(Integer.toString(laps))
                    .send());
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (var answer : threads.invokeAll(events)) {
                answer.get().expect(201);
            }
        }

        // Each user is read twice: once from each node.
        for (int round = 0; round < 2; round++) {
            for (Map.Entry<String, Integer> user : expected.entrySet()) {
                assertEquals(
                        user.getValue(),
                        laurel.get("/v1/users/" + user.getKey() + "/metrics/laps-swum")
                                .expect(200)
                                .at("/current")
                                .asInt(),
                        user.getKey());
            }
        }
    }

    @Test
    @Order(2)
    void shouldMergeThePartitionsOfAllNodes() {
        for (String node : List.of("node-1", "node-2")) {
            try (LaurelClient direct = cluster.client(node)) {
                Awaitility.await(node)
                        .atMost(FOLLOWED)
                        .until(() -> direct.get("/admin/v1/users?limit=100")
                                        .expect(200)
                                        .json()
                                        .size()
                                == USERS);
            }
        }
    }

    @Test
    @Order(3)
    void shouldServeEveryDocumentedRouteThroughTheIngress() throws Exception {
        var missing = new ArrayList<String>();
        for (OpenApiDocument document : OpenApiDocument.all()) {
            for (Operation operation : document.operations()) {
                if (NOT_HERE.contains(operation.path())
                        || operation.path().startsWith("/unsubscribe/")
                        || operation.path().startsWith("/m/")) {
                    continue;
                }
                String path = operation.path().replaceAll("\\{[^}]*}", "none");
                HttpResponse<String> answer = send(operation.method(), path);
                if (answer.statusCode() == 405
                        || answer.body().contains("No such route")
                        || answer.body().contains("runs no replays")
                        || answer.body().contains("\"Not found\"")) {
                    missing.add(operation.name() + ": " + answer.body());
                }
            }
        }

        assertEquals(List.of(), missing);
    }

    /** Both roles refuse: a gateway has no reads, a node has no writes. */
    @Test
    @Order(4)
    void shouldAnswer405ThroughTheIngressForEveryRole() throws Exception {
        for (String refused : List.of(
                "POST /v1/users/none/streak",
                "DELETE /v1/achievements",
                "GET /v1/metrics/laps-swum/event",
                "PUT /admin/v1/webhooks/none/deliveries")) {
            String[] parts = refused.split(" ");
            HttpResponse<String> answer = send(parts[0], parts[1]);

            assertEquals(405, answer.statusCode(), refused);
            assertTrue(answer.headers().firstValue("Allow").isPresent(), refused);
        }
        assertEquals(404, send("POST", "/v1/nowhere").statusCode());
    }

    @Test
    @Order(5)
    void shouldDeliverAndShowDeliveries() throws Exception {
        try (var receiver = new WebhookReceiver()) {
            String webhook = laurel.post(
                            "/admin/v1/webhooks",
                            "[{\"name\": \"CRM\", \"url\": \"" + receiver.url()
                                    + "\", \"events\": [\"points.changed\", \"achievement.completed\"]}]")
                    .expect(201)
                    .string("/created/0/id");
            laurel.record("fresh-swimmer", "laps-swum", "30");

            String type = receiver.next().type();

            assertTrue(List.of("points.changed", "achievement.completed").contains(type), type);
            Awaitility.await()
                    .atMost(FOLLOWED)
                    .until(() -> !laurel.get("/admin/v1/webhooks/" + webhook + "/deliveries?status=succeeded")
                            .expect(200)
                            .json()
                            .isEmpty());
        }
    }

    @Test
    @Order(6)
    void shouldNotExposeMetrics() throws Exception {
        assertEquals(404, send("GET", "/metrics").statusCode());
    }

    /** Sends a request whose response need not be JSON. */
    private static HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(laurel.url() + path))
                            .timeout(Duration.ofSeconds(60))
                            .header("X-API-KEY", LaurelProcess.ADMIN_KEY)
                            .method(method, BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    @Order(7)
    void shouldContinueWithoutOneGatewayAndOneNode() throws Exception {
        assertEquals(SIGTERM, cluster.stop("gateway-1"));
        assertEquals(SIGTERM, cluster.stop("node-2"));

        // The partitions of the node move to the other one.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    for (int i = 0; i < USERS; i++) {
                        laurel.get("/v1/users/swimmer-" + i).expect(200);
                    }
                });
        for (int i = 0; i < USERS; i++) {
            int before = laurel.get("/v1/users/swimmer-" + i + "/metrics/laps-swum")
                    .expect(200)
                    .at("/current")
                    .asInt();
            JsonResponse answer = laurel.record("swimmer-" + i, "laps-swum", "1");
            assertTrue(answer.at("/total").asInt() == before + 1, answer.text());
        }
    }
}
