package dev.laurel.schemas.topic;

import dev.laurel.schemas.trace.Span;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The W3C trace context of a record: the header {@value #TRACEPARENT}, as text. */
public final class TraceHeaders {

    private static final String TRACEPARENT = "traceparent";

    /** Of version 00 it has 55; later versions may have more. */
    private static final int MAX_LENGTH = 512;

    private TraceHeaders() {}

    /** Null if there is none; whether it is valid is for the reader of the text to say. */
    public static String read(Headers headers) {
        Header header = headers.lastHeader(TRACEPARENT);
        return header == null || header.value() == null || header.value().length > MAX_LENGTH
                ? null
                : new String(header.value(), US_ASCII);
    }

    /** Makes what becomes of the record a part of this span's trace; nothing if that is not followed. */
    public static void write(Headers headers, Span span) {
        String traceparent = span.traceparent();
        if (traceparent != null) {
            headers.remove(TRACEPARENT).add(TRACEPARENT, traceparent.getBytes(US_ASCII));
        }
    }
}
