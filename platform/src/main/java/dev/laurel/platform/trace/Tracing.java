package dev.laurel.platform.trace;

import java.util.function.Supplier;
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
    Tracing NONE = new Tracing() {
    };

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
        Span NONE = new Span() {
        };

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
}
