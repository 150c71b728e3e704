package dev.laurel.processors.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of webhook deliveries by outcome, and of what was stale, since the start of the process. Thread-safe. */
public final class DeliveryCounts {

    private final LongAdder stale = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failedAttempts = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Set<Retrying> retrying = ConcurrentHashMap.newKeySet();

    /** The number of webhooks of one task with a delivery that waits for a retry. Written by the thread of the task. */
    public final class Retrying implements AutoCloseable {

        private volatile int webhooks;

        public void set(int number) {
            webhooks = number;
        }

        @Override
        public void close() {
            retrying.remove(this);
        }
    }

    /** Registers a task that starts; the task closes the result when it stops. */
    public Retrying taskStarted() {
        var ofTask = new Retrying();
        retrying.add(ofTask);
        return ofTask;
    }

    /** An event or a message was too old to be sent. */
    public void countStale() {
        stale.increment();
    }

    /** A webhook has accepted a delivery. */
    public void countDelivered() {
        delivered.increment();
    }

    /** An attempt failed. */
    public void countFailedAttempt() {
        failedAttempts.increment();
    }

    /** An attempt failed and will be retried. */
    public void countRetry() {
        retries.increment();
    }

    /** A delivery failed for good: no attempt is left. */
    public void countFailed() {
        failed.increment();
    }

    /** A delivery was dropped: the webhook is gone or inactive. */
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

    /** Webhooks with a delivery that waits for a retry, counted in each partition of this process. */
    public int retrying() {
        return retrying.stream().mapToInt(task -> task.webhooks).sum();
    }
}
