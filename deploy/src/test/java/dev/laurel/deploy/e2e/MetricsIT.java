package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.observe.Exposition;
import dev.laurel.deploy.observe.Exposition.Family;
import dev.laurel.deploy.observe.ObservedQuery;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares the metrics of an instance after some traffic with alerts, dashboard and documentation. */
@ExtendWith(SharedLaurel.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class MetricsIT {

    private static final Path DOCUMENT = Path.of("observe", "METRICS.md");
    private static final String EVENT = "/v1/metrics/{key}/event";

    private String before;
    private String text;
    private Exposition after;

    @BeforeAll
    void makeTraffic(LaurelInstance instance) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            before = scrape(http, instance);
            LaurelClient client = instance.client();
            for (int i = 0; i < 2; i++) {
                client.send(
                        "POST",
                        "/v1/metrics/laps-swum/event",
                        "{\"user\":{\"id\":\"metrics-ann\"},\"value\":3}",
                        "Idempotency-Key",
                        "metrics-once");
            }
            client.get("/v1/users/metrics-ann").expect(200);
            client.get("/v1/nowhere/metrics-ann").expect(404);
            System.gc();
            text = scrape(http, instance);
        }
        after = Exposition.parse(text);
    }

    /** Sends no key. */
    private static String scrape(HttpClient http, LaurelInstance instance) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(instance.url() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(
                List.of("text/plain; version=0.0.4; charset=utf-8"),
                answer.headers().allValues("Content-Type"));
        return answer.body();
    }

    private void assertGrown(double by, String name, Map<String, String> labels) {
        double grown = after.sum(name, labels) - Exposition.parse(before).sum(name, labels);
        assertTrue(grown >= by, name + labels + " has grown by " + grown);
    }

    @Test
    void shouldExposeTheMetricsOfAlertsAndDashboard() {
        List<ObservedQuery> queries = ObservedQuery.all();

        assertTrue(queries.size() > 50, () -> "found only " + queries.size());
        assertEquals(
                List.of(),
                queries.stream()
                        .flatMap(query -> query.problems(after).stream())
                        .toList());
    }

    @Test
    void shouldCountAnEventInEachMetricOnItsPath() {
        assertGrown(2, "laurel_http_requests_total", Map.of("method", "POST", "route", EVENT));
        assertGrown(2, "laurel_http_request_duration_seconds_count", Map.of("method", "POST", "route", EVENT));
        assertGrown(2, "laurel_gateway_answers_total", Map.of("outcome", "replied"));
        assertGrown(1, "laurel_ledger_commands_total", Map.of("outcome", "event"));
        assertGrown(1, "laurel_ledger_commands_total", Map.of("outcome", "repeated"));
        assertGrown(2, "laurel_ledger_answer_latency_seconds_count", Map.of());
        assertGrown(2, "laurel_streams_processed_total", Map.of("application", "ledger"));
    }

    @Test
    void shouldLabelMetricsByRouteAndNotByRequestData() {
        assertGrown(1, "laurel_http_requests_total", Map.of("route", "/v1/users/{id}", "status", "200"));
        assertGrown(1, "laurel_http_requests_total", Map.of("method", "none", "route", "none", "status", "404"));
        assertFalse(text.contains("metrics-ann"), "a user's id");
        assertFalse(text.contains("nowhere"), "a path");
    }

    @Test
    void shouldExposeEveryStoreOfEveryPartition() {
        assertEquals(
                8.0
                        * after.samples()
                                .get("laurel_ledger_timers_overdue_seconds")
                                .size(),
                after.samples().get("laurel_streams_restore_remaining").stream()
                        .filter(sample -> sample.labels().get("application").equals("ledger"))
                        .count(),
                "eight stores in each partition");
        assertTrue(after.sum("laurel_state_size_bytes", Map.of("store", "users")) > 0);
        assertEquals(0, after.sum("laurel_streams_restore_remaining", Map.of()), "nothing is restored");
        assertTrue(after.sum("laurel_rocksdb_memory_used_bytes", Map.of()) > 0);
    }

    /** Rewritten with {@code -Dlaurel.approve=true}. */
    @Test
    void shouldBeDocumented() throws IOException {
        var table = new StringBuilder("""
            # Metrics

            Every process shows these metrics at `/metrics` on its HTTP port, to anyone who can reach it: keep the path off the ingress.
            A gateway has no metrics of nodes, and a node none of gateways; all processes have those of HTTP, of followed topics and of the
            process. A histogram has `_bucket`, `_count`, `_sum` and a `_max` of the last minutes. Counters begin at 0 with the process,
            and the lines of a route appear with its first request. JVM metrics (`jvm_…`, `process_…`, `system_…`) have the names that
            Micrometer gives them.

            | metric | kind | labels | |
            | --- | --- | --- | --- |
            """);
        after.families().forEach((name, family) -> {
            if (isOurs(name)) {
                table.append("| `")
                        .append(name)
                        .append("` | ")
                        .append(family.type())
                        .append(" | ")
                        .append(labels(family))
                        .append(" | ")
                        .append(family.help())
                        .append(" |\n");
            }
        });
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(DOCUMENT, table);
        }

        assertEquals(
                Files.readString(DOCUMENT),
                table.toString(),
                "if this is meant, run this test with -Dlaurel.approve=true");
    }

    private static boolean isOurs(String name) {
        return (name.startsWith("laurel_") || name.equals("process_resident_memory_bytes")) && !name.endsWith("_max");
    }

    private static String labels(Family family) {
        return family.labels().isEmpty() ? "" : "`" + String.join("`, `", family.labels()) + "`";
    }
}
