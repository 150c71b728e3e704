package dev.laurel.processors.delivery;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts of webhook deliveries since the start of the process. Thread-safe. */
public final class DeliveryCounts {

    /** The counts by the ordinal of the kind. */
    private final LongAdder[] counts = Stream.generate(LongAdder::new).limit(Kind.values().length)
            .toArray(LongAdder[]::new);
    private final Set<Retrying> retrying = ConcurrentHashMap.newKeySet();

    /** The kinds of counts. */
    public enum Kind {
        /** The webhook has accepted the delivery. */
        DELIVERED,
        /** The delivery has failed for good: no attempt is left. */
        FAILED,
        /** The delivery was dropped: the webhook is deleted or inactive. */
        DROPPED,
        /** The event was too old to be sent; also counts messages. */
        STALE,
        /** An attempt has failed. */
        FAILED_ATTEMPT,
        /** A failed attempt will be followed by another one. */
        RETRY
    }

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

    public void count(Kind kind) {
        counts[kind.ordinal()].increment();
    }

    public long number(Kind kind) {
        return counts[kind.ordinal()].sum();
    }

    /** Webhooks with a delivery that waits for a retry, counted in each partition of this process. */
    public int retrying() {
        return retrying.stream().mapToInt(task -> task.webhooks).sum();
    }
}
