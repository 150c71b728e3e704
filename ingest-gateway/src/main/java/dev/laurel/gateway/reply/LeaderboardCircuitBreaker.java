package dev.laurel.gateway.reply;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether replies to writes wait for the parts that leaderboards add. While leaderboards do not respond, each write
 * would wait its whole timeout for them. After several timeouts in a row the breaker opens: replies go out at once and list the
 * missing leaderboards as pending. Every few seconds one of these replies becomes a probe. Its client does not wait either, but
 * if its parts arrive soon, the breaker closes. Thread-safe; the usual reply costs one volatile read.
 */
public final class LeaderboardCircuitBreaker {

    /** The number of timeouts in a row that opens the breaker. */
    static final int TIMEOUTS = 5;

    /** The time between two probes. */
    static final Duration PROBE_EVERY = Duration.ofSeconds(5);

    /** The time within which the parts of a probe must arrive; they usually take some milliseconds. */
    static final Duration SOON = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final AtomicInteger timeoutsInARow = new AtomicInteger();
    private final AtomicReference<@Nullable Probe> newest = new AtomicReference<>();
    private volatile boolean isOpen;

    /** @param nanoTime as {@link System#nanoTime} */
    public LeaderboardCircuitBreaker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A reply whose parts are still expected. @param request null: the breaker opened at this time, there was no probe */
    record Probe(@Nullable Object request, long begunNs) {}

    /** Whether replies wait for their parts. */
    public boolean isClosed() {
        return !isOpen;
    }

    /** The parts of a reply have arrived. */
    void succeeded() {
        if (timeoutsInARow.get() != 0) {
            timeoutsInARow.set(0);
        }
        if (isOpen) {
            isOpen = false;
        }
    }

    /** The parts of a reply have not arrived within its timeout. @return whether this opened the breaker */
    boolean timedOut() {
        if (timeoutsInARow.incrementAndGet() < TIMEOUTS || isOpen) {
            return false;
        }
        newest.set(new Probe(null, nanoTime.getAsLong()));
        isOpen = true;
        return true;
    }

    /**
     * A reply has gone out without its parts.
     *
     * @param request any object that identifies it
     * @return the previous probe if this one becomes the next, else null
     */
    @Nullable
    Probe probe(Object request) {
        Probe before = newest.get();
        long nowNs = nanoTime.getAsLong();
        boolean isTime = isOpen && before != null && nowNs - before.begunNs() >= PROBE_EVERY.toNanos();
        return isTime && newest.compareAndSet(before, new Probe(request, nowNs)) ? before : null;
    }

    /** The parts of this probe have arrived. */
    void probeSucceeded(Object request) {
        Probe probe = newest.get();
        if (probe != null && request.equals(probe.request())
                && nanoTime.getAsLong() - probe.begunNs() <= SOON.toNanos()) {
            succeeded();
        }
    }
}
