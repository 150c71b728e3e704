package dev.laurel.deploy.bench;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands out the intended send times of an open loop, evenly spaced. Threads share one pace; each takes the next slot
 * and parks until it is due. A slot that is taken late keeps its time, so a slow service cannot hide its delay by
 * holding back the requests that would have shown it (coordinated omission).
 */
final class Pace {
    private final long startNanos;
    private final double intervalNanos;
    private final long slots;
    private final AtomicLong next = new AtomicLong();

    /** @param startNanos the time of the first slot, by {@link System#nanoTime} */
    Pace(long startNanos, double ratePerSecond, long slots) {
        if (!(ratePerSecond > 0) || slots < 1) {
            throw new IllegalArgumentException("A pace needs a positive rate and at least one slot");
        }
        this.startNanos = startNanos;
        this.intervalNanos = 1_000_000_000 / ratePerSecond;
        this.slots = slots;
    }

    /** The number of the next free slot, or -1 when all are taken. */
    long take() {
        long slot = next.getAndIncrement();
        return slot < slots ? slot : -1;
    }

    /** When the slot is due, by {@link System#nanoTime}; from the start each time, so rounding does not add up. */
    long dueNanos(long slot) {
        return startNanos + Math.round(slot * intervalNanos);
    }

    /** Parks, never spins: the processor belongs to the service under test. Wakes some 0.1 ms late by the kernel's timer slack. */
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
