package dev.laurel.deploy.tools.replay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a work end by itself when the process is told to end: topics and folders that it has made go before the process does.
 * Made and closed by who works.
 */
final class GracefulEnd implements AutoCloseable {

    private static final long PATIENCE_MS = 30_000;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread onExit = Thread.ofPlatform().unstarted(this::stop);
    private volatile boolean isStopped;

    GracefulEnd() {
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Runs while the JVM ends: it waits for the work, whose thread goes on until this returns. */
    private void stop() {
        isStopped = true;
        try {
            ended.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isStopped() {
        return isStopped;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException _) {
            // The JVM is ending: the hook is what stopped us.
        }
    }
}
