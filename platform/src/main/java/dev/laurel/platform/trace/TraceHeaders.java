package dev.laurel.platform.trace;

import dev.laurel.platform.trace.Tracing.Span;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Reads and writes the W3C trace context of a record: the header {@value #TRACEPARENT}, as text. */
public final class TraceHeaders {

    private static final String TRACEPARENT = "traceparent";

    /** The header has 55 characters in version 00 and may have more in later versions. */
    private static final int MAX_LENGTH = 512;

    private TraceHeaders() {}

    /** Returns null if the header is absent. The text is not validated here. */
    public static @Nullable String read(Headers headers) {
        Header header = headers.lastHeader(TRACEPARENT);
        return header == null || header.value() == null || header.value().length > MAX_LENGTH
                ? null
                : new String(header.value(), US_ASCII);
    }

    /** Makes the processing of the record part of this span's trace, if the span is traced. */
    public static void write(Headers headers, Span span) {
        String traceparent = span.traceparent();
        if (traceparent != null) {
            headers.remove(TRACEPARENT).add(TRACEPARENT, traceparent.getBytes(US_ASCII));
        }
    }

    /** Makes the processing of a record that is written anew part of the same trace. */
    public static void copy(Headers from, Headers to) {
        String traceparent = read(from);
        if (traceparent != null) {
            to.add(TRACEPARENT, traceparent.getBytes(US_ASCII));
        }
    }
}
