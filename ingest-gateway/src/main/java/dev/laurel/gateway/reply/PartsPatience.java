package dev.laurel.gateway.reply;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Whether answers to writes wait for their parts, which leaderboards add. When these do not answer, each write would wait its
 * whole time for them: after some that did, one after the other, answers go out without, and name what is missing as
 * pending. Every few seconds one of those answers is a probe: its client does not wait either, but if its parts come soon,
 * answers wait again. Thread-safe; what a usual answer costs is a read of one field.
 */
public final class PartsPatience {

    /** So many in a row wait in vain. */
    static final int TIMEOUTS = 5;

    /** From one probe to the next. */
    static final Duration PROBE_EVERY = Duration.ofSeconds(5);

    /** So soon the parts of a probe must come: they usually take some milliseconds. */
    static final Duration SOON = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final AtomicInteger inVain = new AtomicInteger();
    private final AtomicReference<Probe> newest = new AtomicReference<>();
    private volatile boolean isOver;

    /** @param nanoTime as {@link System#nanoTime} */
    public PartsPatience(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** An answer whose parts are looked out for. @param request null: that was none, only a moment */
    record Probe(Object request, long begunNs) {}

    /** Whether answers wait. */
    public boolean isThere() {
        return !isOver;
    }

    /** The parts of an answer have come. */
    void fulfilled() {
        if (inVain.get() != 0) {
            inVain.set(0);
        }
        if (isOver) {
            isOver = false;
        }
    }

    /** The parts of an answer have not come in all its time. @return whether patience has ended with this one */
    boolean waitedInVain() {
        if (inVain.incrementAndGet() < TIMEOUTS || isOver) {
            return false;
        }
        newest.set(new Probe(null, nanoTime.getAsLong()));
        isOver = true;
        return true;
    }

    /**
     * An answer has gone out without waiting.
     *
     * @param request any thing that stands for it
     * @return null if it is no probe, else the one before it
     */
    Probe probe(Object request) {
        Probe before = newest.get();
        long nowNs = nanoTime.getAsLong();
        boolean isTime = isOver && nowNs - before.begunNs() >= PROBE_EVERY.toNanos();
        return isTime && newest.compareAndSet(before, new Probe(request, nowNs)) ? before : null;
    }

    /** The parts of this probe have come. */
    void arrived(Object request) {
        Probe probe = newest.get();
        if (probe != null && request.equals(probe.request())
                && nanoTime.getAsLong() - probe.begunNs() <= SOON.toNanos()) {
            fulfilled();
        }
    }
}
