package dev.laurel.delivery.queue;

import dev.laurel.platform.kafka.AdaptivePollWait;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocking calls on threads of their own, and their completions on the task's thread, which alone reads and writes the store.
 * Bounded by the number of batches that the task has in flight. {@link #run}, {@link #add} and {@link #fail} are thread-safe; the
 * last two wake the task's thread.
 */
public final class CompletionQueue {

    private final Executor threads;
    private final String faultMessage;
    private final BlockingQueue<Runnable> completions = new LinkedBlockingQueue<>();
    private final AdaptivePollWait taskThread = AdaptivePollWait.ofThisThread();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    /** A blocking call, which throws an exception only at a fault. */
    public interface Call {

        void run() throws InterruptedException;
    }

    /**
     * Called on the task's thread.
     *
     * @param threads runs each call on a thread of its own
     * @param faultMessage of the exception that stops the task
     */
    public CompletionQueue(Executor threads, String faultMessage) {
        this.threads = threads;
        this.faultMessage = faultMessage;
    }

    public void run(Call call) {
        threads.execute(() -> {
            try {
                call.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(e);
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        });
    }

    /** Stops the task: without an outcome, the delivery would wait forever, unnoticed. */
    public void fail(Throwable cause) {
        fault.compareAndSet(null, cause);
        taskThread.now();
    }

    /** Adds a completion, to be run on the task's thread. */
    public void add(Runnable completion) {
        completions.add(completion);
        taskThread.now();
    }

    /** Runs the completions that were added. Called on the task's thread. @throws IllegalStateException if a call has failed */
    void drain() {
        for (Runnable next = completions.poll(); next != null; next = completions.poll()) {
            next.run();
        }
        Throwable cause = fault.get();
        if (cause != null) {
            throw new IllegalStateException(faultMessage, cause);
        }
    }

    /** Runs the next completion. Called on the task's thread. @return false if none was added in time */
    public boolean awaitOne(long timeoutNs) throws InterruptedException {
        Runnable next = completions.poll(timeoutNs, TimeUnit.NANOSECONDS);
        if (next != null) {
            next.run();
        }
        return next != null;
    }
}
