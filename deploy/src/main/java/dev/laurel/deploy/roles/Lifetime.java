package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a program that serves: it starts, waits until it is told to stop (SIGTERM, Ctrl-C) or a fault ends it, and closes
 * what it has started. The process does not end before that is done.
 */
public final class Lifetime {

    private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

    private final StartedParts parts = new StartedParts();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The thread that starts, as long as it does: whoever stops the program then need not wait for that. */
    private Thread starting = Thread.currentThread();

    /** What starts a program. */
    public interface Start {

        /** Adds what it starts to the parts of {@code lifetime}. Interrupted if the program is to stop meanwhile. */
        void run(Lifetime lifetime) throws InterruptedException;
    }

    private Lifetime() {}

    /**
     * Returns when the program was told to stop and has stopped.
     *
     * @throws CommandFailed if a fault ended it
     */
    public static void of(Start start) throws InterruptedException {
        new Lifetime().run(start);
    }

    /** What is closed at the end. */
    public StartedParts parts() {
        return parts;
    }

    /** To be completed with what ends the program. */
    public CompletableFuture<Throwable> fault() {
        return fault;
    }

    private void run(Start start) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "stop"));
        fault.thenRun(this::stop);
        try {
            start.run(this);
            endStart();
            stopped.await();
        } catch (InterruptedException | RuntimeException e) {
            if (stopped.getCount() > 0) {
                throw e;
            }
            LOG.debug("stopped before everything had been started", e);
        } finally {
            endStart();
            parts.close();
            closed.countDown();
        }
        if (fault.isDone()) {
            Throwable cause = fault.join();
            throw new CommandFailed("stopped by a fault: " + cause.getMessage(), cause);
        }
    }

    private synchronized void stop() {
        stopped.countDown();
        if (starting != null) {
            starting.interrupt();
        }
    }

    /** An interrupt that came too late for the start is not meant for what follows. */
    private synchronized void endStart() {
        starting = null;
        if (stopped.getCount() == 0) {
            Thread.interrupted();
        }
    }

    /** The JVM ends when this returns: not before everything is closed. */
    private void stopAndWait() {
        stop();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
