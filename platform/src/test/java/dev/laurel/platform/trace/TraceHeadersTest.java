package dev.laurel.platform.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

final class TraceHeadersTest {

    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final RecordHeaders headers = new RecordHeaders();

    private static Span span(String traceparent) {
        return new Span() {
            @Override
            public String traceparent() {
                return traceparent;
            }
        };
    }

    @Test
    void shouldReadWhatWasWritten() {
        TraceHeaders.write(headers, span(TRACEPARENT));

        assertEquals(TRACEPARENT, TraceHeaders.read(headers));
        assertEquals(TRACEPARENT, new String(headers.lastHeader("traceparent").value(), UTF_8));
    }

    @Test
    void shouldReplaceAnExistingHeader() {
        TraceHeaders.write(headers, span("another"));
        TraceHeaders.write(headers, span(TRACEPARENT));

        assertEquals(1, headers.toArray().length);
        assertEquals(TRACEPARENT, TraceHeaders.read(headers));
    }

    @Test
    void shouldWriteNoHeaderForAnUntracedSpan() {
        TraceHeaders.write(headers, Span.NONE);

        assertEquals(0, headers.toArray().length);
        assertNull(TraceHeaders.read(headers));
    }

    @Test
    void shouldIgnoreHeadersThatAreTooLongOrNull() {
        headers.add("traceparent", new byte[100_000]);
        assertNull(TraceHeaders.read(headers));

        headers.add("traceparent", null);
        assertNull(TraceHeaders.read(headers));
    }
}
