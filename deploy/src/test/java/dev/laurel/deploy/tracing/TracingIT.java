package dev.laurel.deploy.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.roles.Standalone;
import dev.laurel.deploy.roles.StandaloneSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces requests through all roles, as the client sees it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class TracingIT {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String EVENT = "POST /v1/metrics/{key}/event";

    @TempDir
    private static Path dir;

    private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static Standalone standalone;

    @BeforeAll
    static void start() throws Exception {
        // A ratio of 0: only clients decide.
        standalone = Standalone.start(
                StandaloneSettings.onFreePorts(new DataDir(dir), null, 1, false),
                new OtelTracing("laurel-test", 0, SimpleSpanProcessor.create(SPANS)));
        HttpResponse<String> applied = send(request("/admin/v1/ruleset").PUT(BodyPublishers.ofString("""
            {"metrics": {"laps": {}},
             "leaderboards": {"swimmers": {"status": "active", "rankBy": "metric", "metric": "laps"}}}
            """)));
        assertEquals(200, applied.statusCode(), applied.body());
    }

    @AfterAll
    static void stop() {
        HTTP.close();
        standalone.close();
    }

    @BeforeEach
    void forget() {
        SPANS.reset();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(standalone.url() + path)).header("X-API-KEY", standalone.adminKey());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> sendEvent(String traceparent) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request("/v1/metrics/laps/event")
                .header("traceparent", traceparent)
                .POST(BodyPublishers.ofString("{\"user\": {\"id\": \"ida@example.net\"}, \"value\": 3}")));
        assertEquals(201, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("swimmers"), answer.body());
        return answer;
    }

    private static Set<String> shapes(List<SpanData> spans) {
        Map<String, String> names = spans.stream().collect(Collectors.toMap(SpanData::getSpanId, SpanData::getName));
        return spans.stream()
                .map(span -> span.getKind() + " " + span.getName() + " < "
                        + names.getOrDefault(span.getParentSpanId(), span.getParentSpanId()))
                .collect(Collectors.toSet());
    }

    @Test
    void shouldTraceAnEventFromItsRequestToItsResponse() throws Exception {
        sendEvent("00-" + TRACE + "-" + CALLER + "-01");

        // The reply of the ledger and that of the leaderboards are two records.
        Set<String> expected = Set.of(
                "SERVER " + EVENT + " < " + CALLER,
                "PRODUCER send laurel.commands < " + EVENT,
                "CONSUMER process laurel.commands < send laurel.commands",
                "CONSUMER process laurel.scores < process laurel.commands",
                "CONSUMER process laurel.replies < process laurel.commands",
                "CONSUMER process laurel.replies < process laurel.scores");
        Awaitility.await().untilAsserted(() -> assertEquals(expected, shapes(SPANS.getFinishedSpanItems())));
        List<SpanData> spans = SPANS.getFinishedSpanItems();
        assertEquals(expected.size(), spans.size());
        assertEquals(Set.of(TRACE), spans.stream().map(SpanData::getTraceId).collect(Collectors.toSet()));
        SpanData request = spans.stream()
                .filter(span -> span.getKind() == SpanKind.SERVER)
                .findFirst()
                .orElseThrow();
        assertEquals(201, request.getAttributes().get(AttributeKey.longKey("http.response.status_code")));
        assertEquals("laurel-test", request.getResource().getAttribute(AttributeKey.stringKey("service.name")));
        assertTrue(spans.stream().noneMatch(span -> span.toString().contains("ida@")), spans::toString);
    }

    @Test
    void shouldNotTraceIfTheClientDeclines() throws Exception {
        sendEvent("00-" + TRACE + "-" + CALLER + "-00");
        sendEvent("no trace context");
        assertEquals(
                200,
                send(request("/v1/users/ida@example.net").header("traceparent", "00-" + TRACE + "-" + CALLER + "-01"))
                        .statusCode());

        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        Set.of("SERVER GET /v1/users/{id} < " + CALLER), shapes(SPANS.getFinishedSpanItems())));
    }

    @Test
    void shouldTraceARequestWithoutARoute() throws Exception {
        assertEquals(
                404,
                send(request("/v1/nothing/ida@example.net").header("traceparent", "00-" + TRACE + "-" + CALLER + "-01"))
                        .statusCode());

        Awaitility.await()
                .untilAsserted(
                        () -> assertEquals(Set.of("SERVER GET < " + CALLER), shapes(SPANS.getFinishedSpanItems())));
        assertEquals(
                404,
                SPANS.getFinishedSpanItems()
                        .getFirst()
                        .getAttributes()
                        .get(AttributeKey.longKey("http.response.status_code")));
    }
}
