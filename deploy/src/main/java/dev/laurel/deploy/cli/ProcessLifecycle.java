package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lifecycle of a process that serves: it starts, waits until it is asked to stop (SIGTERM, Ctrl-C) or a fault
 * ends it, and closes what it has started. The process does not end before everything is closed.
 */
public final class ProcessLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycle.class);

    private final CloseStack parts = new CloseStack();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** The thread that starts, until the start is complete. Stopping interrupts it. */
    private @Nullable Thread starting = Thread.currentThread();

    /** Starts a process. */
    public interface Start {

        /**
         * Adds what it starts to the parts of {@code lifetime}. Interrupted if the process is asked to stop
         * meanwhile.
         */
        void run(ProcessLifecycle lifetime) throws InterruptedException;
    }

    private ProcessLifecycle() {}

    /**
     * Returns after the process was asked to stop and has stopped.
     *
     * @throws CommandFailed if a fault ended it
     */
    public static void of(Start start) throws InterruptedException {
        new ProcessLifecycle().run(start);
    }

    /** Returns the parts that are closed at the end. */
    public CloseStack parts() {
        return parts;
    }

    /** Returns a future to be completed with the fault that ends the process. */
    public CompletableFuture<Throwable> fault() {
        return fault;
    }

    private void run(Start start) throws InterruptedException {
        fault.thenRun(this::stop);
        // Delays the end of the JVM until everything is closed.
        try (var _ = new GracefulStop(this::stop, Long.MAX_VALUE)) {
            runToEnd(start);
        }
        if (fault.isDone()) {
            Throwable cause = fault.join();
            throw new CommandFailed("stopped by a fault: " + cause.getMessage(), cause);
        }
    }

    private void runToEnd(Start start) throws InterruptedException {
        try {
            start.run(this);
            endStart();
            stopped.await();
        } catch (InterruptedException | RuntimeException e) {
            if (stopped.getCount() > 0) {
                throw e;
            }
            LOG.debug("Stopped before the start was complete", e);
        } finally {
            endStart();
            parts.close();
        }
    }

    private synchronized void stop() {
        stopped.countDown();
        if (starting != null) {
            starting.interrupt();
        }
    }

    /** Clears an interrupt that came too late for the start. */
    private synchronized void endStart() {
        starting = null;
        if (stopped.getCount() == 0) {
            Thread.interrupted();
        }
    }
}
