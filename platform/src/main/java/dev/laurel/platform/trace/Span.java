package dev.laurel.platform.trace;

import org.jspecify.annotations.Nullable;

/** One step of a traced request: begun by {@link Tracing}, ended by {@link #close}. */
public interface Span extends AutoCloseable {

    /** The span of steps that are not traced. */
    Span NONE = new Span() {

        @Override
        public @Nullable String traceparent() {
            return null;
        }

        @Override
        public void answered(@Nullable String route, int status) {
            // not traced
        }

        @Override
        public void failed(Throwable cause) {
            // not traced
        }

        @Override
        public void close() {
            // not traced
        }
    };

    /** The trace context for the next steps; null if they are not traced. */
    @Nullable
    String traceparent();

    /**
     * Records the outcome of a request.
     *
     * @param route the template of the path, which contains no user id; null if no route matched
     */
    void answered(@Nullable String route, int status);

    /**
     * Records that the step failed. Only the exception class is recorded, because messages may contain client data.
     */
    void failed(Throwable cause);

    @Override
    void close();
}
