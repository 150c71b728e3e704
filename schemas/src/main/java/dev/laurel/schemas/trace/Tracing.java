package dev.laurel.schemas.trace;

import java.util.function.Supplier;

/**
 * Follows single requests through the processes, by the W3C trace context: the header {@code traceparent} of HTTP requests and
 * of records. Off unless a process is told where its spans go; this interface is all that the other modules know of it.
 * Thread-safe; never blocks and never throws.
 *
 * <p>Whether a request is followed is decided once, where it comes in: by its client, or by a ratio. A record carries the
 * header only if its request is followed, so those that are not cost no byte of the log.
 */
public interface Tracing extends AutoCloseable {

    /** Nothing is followed: no header is read or written, nothing is allocated. */
    Tracing NONE = new Tracing() {

        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public Span request(String method, String traceparent) {
            return Span.NONE;
        }

        @Override
        public Span sending(String topic) {
            return Span.NONE;
        }

        @Override
        public Span processing(String topic, int partition, long offset, String traceparent) {
            return Span.NONE;
        }

        @Override
        public Span calling(String method, String peer) {
            return Span.NONE;
        }

        @Override
        public <T> Supplier<T> carrying(Supplier<T> task) {
            return task;
        }
    };

    boolean isOn();

    /**
     * A request came by HTTP. The span is the current one of this thread until it is closed there.
     *
     * @param traceparent as the client sent it; what is none counts as absent, and so does null
     */
    Span request(String method, String traceparent);

    /**
     * A record goes out, as part of this thread's current span; {@link Span#NONE} if there is none. It ends, on any thread, when
     * Kafka has acknowledged the record or refused it.
     */
    Span sending(String topic);

    /**
     * A record is being processed. The span is the current one of this thread until it is closed there.
     *
     * @param traceparent as the record carries it; without a valid one, null too, the span is {@link Span#NONE}
     */
    Span processing(String topic, int partition, long offset, String traceparent);

    /**
     * Another process is called by HTTP, as part of this thread's current span; {@link Span#NONE} if there is none. It ends, on
     * any thread, when that has answered or is waited for no longer.
     *
     * @param peer host:port
     */
    Span calling(String method, String peer);

    /** The same task, for another thread: what it does there is part of this thread's current span. */
    <T> Supplier<T> carrying(Supplier<T> task);

    /** Sends what waits, for some seconds at most; nothing is followed from then on. */
    @Override
    default void close() {
        // nothing waits
    }
}
