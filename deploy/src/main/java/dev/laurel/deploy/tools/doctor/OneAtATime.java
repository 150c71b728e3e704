package dev.laurel.deploy.tools.doctor;

import dev.laurel.platform.http.HttpRefusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that takes some time to find out and is asked for by several. At most one run is under way; all who ask meanwhile, and
 * shortly after it, get its result. Thread-safe.
 */
final class OneAtATime<T> {

    private final String what;
    private final Supplier<T> run;
    private final Duration fresh;
    private final Duration patience;
    private final LongSupplier nanoTime;
    private @Nullable CompletableFuture<T> newest;
    private long endedNs;

    /**
     * @param what subject of the refusal
     * @param fresh how long a result is given to others
     * @param patience how long a caller waits; a run that takes longer continues, for later callers
     */
    OneAtATime(String what, Supplier<T> run, Duration fresh, Duration patience, LongSupplier nanoTime) {
        this.what = what;
        this.run = run;
        this.fresh = fresh;
        this.patience = patience;
        this.nanoTime = nanoTime;
    }

    /** @throws HttpRefusal 503 if the run takes too long */
    T get() {
        try {
            return newest().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw HttpRefusal.busy(what + " takes more than " + patience.toSeconds() + " s. Ask again for the result.");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpRefusal refusal) {
                throw refusal;
            }
            throw new IllegalStateException(what + " has failed", e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.busy(what + " was interrupted.");
        }
    }

    private synchronized CompletableFuture<T> newest() {
        CompletableFuture<T> known = newest;
        if (known != null && (!known.isDone() || isFresh(known))) {
            return known;
        }
        var started = new CompletableFuture<T>();
        newest = started;
        Thread.ofVirtual().name("laurel-inspection").start(() -> complete(started));
        return started;
    }

    private boolean isFresh(CompletableFuture<T> known) {
        return !known.isCompletedExceptionally() && nanoTime.getAsLong() - endedNs < fresh.toNanos();
    }

    private void complete(CompletableFuture<T> started) {
        try {
            T result = run.get();
            synchronized (this) {
                endedNs = nanoTime.getAsLong();
            }
            started.complete(result);
        } catch (RuntimeException | Error e) {
            started.completeExceptionally(e);
        }
    }
}
