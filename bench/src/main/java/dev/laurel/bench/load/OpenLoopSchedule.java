package dev.laurel.bench.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The evenly spaced send times of an open loop. Threads share a schedule; each takes the next slot and parks until it
 * is due. A slot that is taken late keeps its time, so a slow server cannot hide its delay by holding back requests
 * (coordinated omission).
 */
final class OpenLoopSchedule {
    private final long startNanos;
    private final double intervalNanos;
    private final long slots;
    private final AtomicLong next = new AtomicLong();

    /** @param startNanos time of the first slot, by {@link System#nanoTime} */
    public OpenLoopSchedule(long startNanos, double ratePerSecond, long slots) {
        if (!(ratePerSecond > 0) || slots < 1) {
            throw new IllegalArgumentException("A pace needs a positive rate and at least one slot");
        }
        this.startNanos = startNanos;
        this.intervalNanos = 1_000_000_000 / ratePerSecond;
        this.slots = slots;
    }

    /** Returns the number of the next free slot, or -1 if all are taken. */
    long take() {
        long slot = next.getAndIncrement();
        return slot < slots ? slot : -1;
    }

    /**
     * Returns the time of a slot, by {@link System#nanoTime}; computed from the start, so rounding errors do not add
     * up.
     */
    long dueNanos(long slot) {
        return startNanos + Math.round(slot * intervalNanos);
    }

    /**
     * Parks without spinning, because the processor belongs to the server. Wakes about 0.1 ms late because of the
     * kernel's timer slack.
     */
    static void parkUntil(long dueNanos) {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
