package dev.laurel.deploy.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in good order when the process is asked to end (SIGTERM, Ctrl-C): a shutdown hook asks the command to
 * stop, and the JVM waits until the command has closed this object. Opened and closed by the thread that works.
 */
public final class GracefulStop implements AutoCloseable {
    private static final long TIMEOUT_MS = 30_000;

    private final Runnable onStop;
    private final long timeoutMs;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().name("stop").unstarted(this::stop);

    public GracefulStop() {
        this(() -> {});
    }

    /** @param onStop called on another thread when the process is asked to end, which waits 30 s for this object to be closed */
    public GracefulStop(Runnable onStop) {
        this(onStop, TIMEOUT_MS);
    }

    /** @param timeoutMs how long the JVM waits at most */
    GracefulStop(Runnable onStop, long timeoutMs) {
        this.onStop = onStop;
        this.timeoutMs = timeoutMs;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        stopped.countDown();
        onStop.run();
        try {
            ended.await(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the process was asked to end. */
    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Waits for so long, or until the process is asked to end. */
    public void await(Duration duration) throws InterruptedException {
        stopped.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The JVM is shutting down; the hook has run.
        }
    }
}
