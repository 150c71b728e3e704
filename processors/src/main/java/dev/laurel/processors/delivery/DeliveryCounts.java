package dev.laurel.processors.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What came of what was to go out, counted since the start of the process. Thread-safe. */
public final class DeliveryCounts {

    private final LongAdder stale = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failedAttempts = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Set<Retrying> retrying = ConcurrentHashMap.newKeySet();

    /** The webhooks of one task for which something waits to be tried again. Written by its thread. */
    public final class Retrying implements AutoCloseable {

        private volatile int webhooks;

        public void are(int number) {
            webhooks = number;
        }

        @Override
        public void close() {
            retrying.remove(this);
        }
    }

    /** For a task that starts; it closes this when it stops. */
    public Retrying taskStarted() {
        var ofTask = new Retrying();
        retrying.add(ofTask);
        return ofTask;
    }

    /** It happened too long ago to be told. */
    public void countStale() {
        stale.increment();
    }

    /** A webhook has taken it. */
    public void countDelivered() {
        delivered.increment();
    }

    /** A webhook has not taken it, this time. */
    public void countFailedAttempt() {
        failedAttempts.increment();
    }

    /** A webhook has not taken it, and is asked again in a few minutes of itself. */
    public void countRetry() {
        retries.increment();
    }

    /** No attempt is left. */
    public void countFailed() {
        failed.increment();
    }

    /** The webhook is not there any more, or inactive. */
    public void countDropped() {
        dropped.increment();
    }

    public long stale() {
        return stale.sum();
    }

    public long delivered() {
        return delivered.sum();
    }

    public long failedAttempts() {
        return failedAttempts.sum();
    }

    public long retries() {
        return retries.sum();
    }

    public long failed() {
        return failed.sum();
    }

    public long dropped() {
        return dropped.sum();
    }

    /** Webhooks for which something waits to be tried again, in each of the partitions that are here. */
    public int retrying() {
        return retrying.stream().mapToInt(task -> task.webhooks).sum();
    }
}
