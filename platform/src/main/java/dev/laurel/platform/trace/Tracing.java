package dev.laurel.platform.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.laurel.platform.trace.Tracing.Span;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Traces requests across processes by the W3C trace context: the header {@code traceparent} of HTTP requests and of
 * records. Off unless a process is configured to export spans: the default methods trace nothing. Other modules know
 * only this interface. Thread-safe; never blocks and never throws.
 *
 * <p>The first process decides once whether a request is traced: by the client's header or by a ratio. A record has the
 * header only if its request is traced, so that other records take no additional space.
 */
public interface Tracing extends AutoCloseable {

    /** Traces nothing: reads and writes no header, and allocates nothing. */
    Tracing NONE = new Tracing() {};

    default boolean isOn() {
        return false;
    }

    /**
     * Begins the span of an HTTP request. It is the current span of this thread until it is closed on the same thread.
     *
     * @param traceparent the header that the client sent; an invalid one is ignored, like null
     */
    default Span request(String method, @Nullable String traceparent) {
        return Span.NONE;
    }

    /**
     * Begins the span of sending a record, as a child of this thread's current span; {@link Span#NONE} if there is
     * none. It must be closed, on any thread, when Kafka has acknowledged or refused the record.
     */
    default Span sending(String topic) {
        return Span.NONE;
    }

    /**
     * Begins the span of processing a record. It is the current span of this thread until it is closed on the same
     * thread.
     *
     * @param traceparent the header of the record; if it is null or invalid, the span is {@link Span#NONE}
     */
    default Span processing(String topic, int partition, long offset, @Nullable String traceparent) {
        return Span.NONE;
    }

    /**
     * Begins the span of an HTTP call to another process, as a child of this thread's current span; {@link Span#NONE}
     * if there is none. It must be closed, on any thread, when the process has answered or the call has timed out.
     *
     * @param peer the process as host:port
     */
    default Span calling(String method, String peer) {
        return Span.NONE;
    }

    /** Wraps a task for another thread, so that its spans are children of this thread's current span. */
    default <T> Supplier<T> carrying(Supplier<T> task) {
        return task;
    }

    /** Exports the pending spans, for a few seconds at most, and stops tracing. */
    @Override
    default void close() {}

    /** One step of a traced request: begun by {@link Tracing}, ended by {@link #close}. The default methods record nothing. */
    public interface Span extends AutoCloseable {

        /** The span of steps that are not traced. */
        Span NONE = new Span() {};

        /** The trace context for the next steps; null if they are not traced. */
        default @Nullable String traceparent() {
            return null;
        }

        /**
         * Records the outcome of a request.
         *
         * @param route the template of the path, which contains no user id; null if no route matched
         */
        default void answered(@Nullable String route, int status) {}

        /**
         * Records that the step failed. Only the exception class is recorded, because messages may contain client data.
         */
        default void failed(Throwable cause) {}

        @Override
        default void close() {}
    }

    /** Reads and writes the W3C trace context of a record: the header {@value #TRACEPARENT}, as text. */
    final class TraceHeaders {

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
}
