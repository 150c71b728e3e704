package dev.laurel.schemas.trace;

/** One step of a request that is followed: begun by {@link Tracing}, ended by {@link #close}. */
public interface Span extends AutoCloseable {

    /** Of what is not followed. */
    Span NONE = new Span() {

        @Override
        public String traceparent() {
            return null;
        }

        @Override
        public void answered(String route, int status) {
            // nobody follows
        }

        @Override
        public void failed(Throwable cause) {
            // nobody follows
        }

        @Override
        public void close() {
            // nobody follows
        }
    };

    /** What to give to that which follows from this step; null if that is not followed either. */
    String traceparent();

    /**
     * Of a request: how it ended.
     *
     * @param route the template of the path, which names no user; null if there is no such route
     */
    void answered(String route, int status);

    /** The step failed. Only the kind of failure is kept: messages may hold what a client sent. */
    void failed(Throwable cause);

    @Override
    void close();
}
