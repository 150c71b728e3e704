package dev.laurel.deploy.roles;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process has started, in its order; stopped the other way round. For one thread at a time. */
public final class StartedParts implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StartedParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** @return the part, to be closed with the others from now on */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /**
     * Stops the newest first. What fails to stop does not keep the others from stopping, nor does an interrupt that ended the
     * start.
     */
    @Override
    public void close() {
        boolean wasInterrupted = Thread.interrupted();
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("{} did not stop cleanly", part.getClass().getSimpleName(), e);
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
