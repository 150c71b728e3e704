package dev.laurel.deploy.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Relays a request to another process, which would itself trace every undecided request. */
final class PeerTracingTest {

    private static final String FOLLOWED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final PeerClient.Call FORWARDED =
            new PeerClient.Call("/readyz", Map.of(PeerCalls.FORWARDED, "1"), null);
    private static final PeerClient.Call ASKED = new PeerClient.Call("/internal/ask", Map.of(), new byte[0]);

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OtelTracing tracing = new OtelTracing("laurel-test", 1, SimpleSpanProcessor.create(spans));
    private final PeerKey key = PeerKey.of(BootstrapKey.generate());
    private final PeerMeters meters = new PeerMeters(new Metrics());
    private HttpServer peer;
    private PeerClient client;

    @BeforeEach
    void start() {
        peer = TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", 0))
                        .withPeerKey(key)
                        .withTracing(tracing),
                new BootstrapKey(BootstrapKey.generate()),
                List.of(new NodeRoutes(() -> true)));
        client = new PeerClient(key, null, PeerClient.DEFAULT_MAX_CALLS, meters, tracing);
    }

    @AfterEach
    void stop() {
        client.close();
        peer.close();
        tracing.close();
    }

    private void call(PeerClient.Call call) throws Exception {
        client.call("127.0.0.1:" + peer.port(), call, PATIENCE);
    }

    @Test
    void shouldTraceARequestIntoAnotherProcess() throws Exception {
        try (Span _ = tracing.request("GET", FOLLOWED)) {
            call(FORWARDED);
        }

        Awaitility.await().until(() -> spans.getFinishedSpanItems().size() == 3);
        Map<String, SpanData> byKind = new TreeMap<>();
        spans.getFinishedSpanItems().forEach(span -> byKind.put(span.getKind() + " " + span.getName(), span));
        SpanData calling = byKind.get("CLIENT GET");
        assertEquals(byKind.get("SERVER GET").getSpanId(), calling.getParentSpanId());
        assertEquals(calling.getSpanId(), byKind.get("SERVER GET /readyz").getParentSpanId());
    }

    @Test
    void shouldNotTraceAnUnsampledRequestInAnotherProcess() throws Exception {
        call(FORWARDED);
        call(ASKED);
        // A request without a trace is traced, which ends the test.
        call(new PeerClient.Call("/healthz", Map.of(), null));

        Awaitility.await().until(() -> !spans.getFinishedSpanItems().isEmpty());
        assertEquals(
                List.of("GET /healthz"),
                spans.getFinishedSpanItems().stream().map(SpanData::getName).toList());
        assertTrue(spans.getFinishedSpanItems().getFirst().getParentSpanId().matches("0*"));
    }
}
