package dev.laurel.deploy.tracing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.tracing.TracingOptions.TracingSettings;
import dev.laurel.platform.trace.Tracing.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

final class OtelTracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String FOLLOWED = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String NOT_FOLLOWED = "00-" + TRACE + "-b7ad6b7169203331-00";

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();

    private OtelTracing tracing(double ratio) {
        return new OtelTracing("laurel-test", ratio, SimpleSpanProcessor.create(spans));
    }

    @Test
    void shouldSampleTheGivenShareOfUndecidedRequests() {
        try (OtelTracing all = tracing(1)) {
            all.request("GET", null).close();
            all.request("GET", "nonsense").close();
            assertSame(Span.NONE, all.request("GET", NOT_FOLLOWED));
            assertEquals(2, spans.getFinishedSpanItems().size());
        }
        try (OtelTracing none = tracing(0)) {
            assertSame(Span.NONE, none.request("GET", null));
            none.request("GET", FOLLOWED).close();
        }
    }

    @Test
    void shouldTraceSendsOnlyWithinARequest() {
        try (OtelTracing tracing = tracing(1)) {
            assertSame(Span.NONE, tracing.sending("laurel.commands"));
            try (Span request = tracing.request("POST", FOLLOWED)) {
                Span sending = tracing.sending("laurel.commands");
                assertTrue(sending.traceparent().startsWith("00-" + TRACE + "-"), sending.traceparent());
                assertTrue(sending.traceparent().endsWith("-01"), sending.traceparent());
                sending.failed(new IOException("ida@example.net"));
                sending.close();
                request.answered("/v1/users/{id}", 503);
            }
            assertSame(Span.NONE, tracing.sending("laurel.commands"));
        }
    }

    @Test
    void shouldTraceCallsWithinARequestOnAnyThread() throws Exception {
        try (OtelTracing tracing = tracing(1)) {
            assertSame(Span.NONE, tracing.calling("GET", "127.0.0.1:1"));
            Supplier<Span> calling = () -> tracing.calling("POST", "127.0.0.1:1");
            Supplier<Span> carried;
            try (Span _ = tracing.request("GET", FOLLOWED)) {
                carried = tracing.carrying(calling);
            }
            Span call = CompletableFuture.supplyAsync(carried).get(10, TimeUnit.SECONDS);
            assertTrue(call.traceparent().startsWith("00-" + TRACE + "-"), call.traceparent());
            call.answered(null, 200);
            call.close();
            assertSame(Span.NONE, CompletableFuture.supplyAsync(calling).get(10, TimeUnit.SECONDS));

            SpanData told = spans.getFinishedSpanItems().getLast();
            assertEquals("POST", told.getName());
            assertEquals(SpanKind.CLIENT, told.getKind());
            assertEquals(spans.getFinishedSpanItems().getFirst().getSpanId(), told.getParentSpanId());
        }
    }

    @Test
    void shouldRecordTheClassOfAFailureAndNotItsMessage() {
        try (OtelTracing tracing = tracing(1)) {
            Span span = tracing.processing("laurel.commands", 3, 17, FOLLOWED);
            span.failed(new IllegalStateException("ida@example.net"));
            span.close();

            SpanData told = spans.getFinishedSpanItems().getFirst();
            assertTrue(told.toString().contains("java.lang.IllegalStateException"), told::toString);
            assertTrue(!told.toString().contains("ida@"), told::toString);
        }
    }

    @Test
    void shouldAddTheTraceOfTheThreadToLogLines() {
        try (OtelTracing tracing = tracing(1)) {
            try (Span _ = tracing.processing("laurel.scores", 0, 1, FOLLOWED)) {
                assertEquals(TRACE, MDC.get(OtelTracing.OtelSpan.TRACE_ID));
            }
            assertNull(MDC.get(OtelTracing.OtelSpan.TRACE_ID));
            assertSame(Span.NONE, tracing.processing("laurel.scores", 0, 1, NOT_FOLLOWED));
            assertSame(Span.NONE, tracing.processing("laurel.scores", 0, 1, null));
        }
    }

    @Test
    void shouldSendSpansToTheCollector() throws Exception {
        var received = new LinkedBlockingQueue<List<String>>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            received.add(List.of(
                    exchange.getRequestURI().getPath(),
                    new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1)));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        try (OtelTracing tracing = OtelTracing.to(
                new TracingSettings(
                        URI.create("http://127.0.0.1:" + collector.getAddress().getPort()), 1),
                "laurel-test")) {
            tracing.request("GET", FOLLOWED).close();
        } finally {
            List<String> request = received.poll(20, TimeUnit.SECONDS);
            collector.stop(0);
            assertNotNull(request);
            assertEquals("/v1/traces", request.getFirst());
            assertTrue(request.getLast().contains("laurel-test"));
        }
    }
}
