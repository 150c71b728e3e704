package dev.laurel.platform.trace;

import org.jspecify.annotations.Nullable;

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
