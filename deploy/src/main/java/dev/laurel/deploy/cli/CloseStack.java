package dev.laurel.deploy.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that a process has started, in order; they are closed in reverse order. For one thread at a time. */
public final class CloseStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Returns the part, which is closed with the others from now on. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /**
     * Closes the newest part first. Neither a part that fails to close nor an interrupt of the start prevents the
     * others from closing.
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
