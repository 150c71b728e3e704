package dev.laurel.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether replies to writes wait for the parts that leaderboards add. While leaderboards do not respond, each write
 * would wait its whole timeout for them. After several timeouts in a row, the breaker opens: replies are sent at once and list the
 * missing leaderboards as pending. Every few seconds, one of these replies becomes a probe: its client does not wait either, but
 * if its parts arrive in time, the breaker closes. Thread-safe; while the breaker is closed, a reply costs one volatile read.
 */
final class LeaderboardCircuitBreaker {

    /** The number of timeouts in a row that opens the breaker. */
    static final int TIMEOUTS = 5;

    /** The time between two probes. */
    static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

    /** The time within which the parts of a probe must arrive; they usually take a few milliseconds. */
    static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final AtomicInteger timeoutsInARow = new AtomicInteger();
    private final AtomicReference<@Nullable Probe> newest = new AtomicReference<>();
    private volatile boolean isOpen;

    /** @param nanoTime as {@link System#nanoTime} */
    LeaderboardCircuitBreaker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A reply whose parts may still arrive. @param request null: no reply, but the time at which the breaker opened */
    record Probe(@Nullable Object request, long begunNs) {}

    /** Whether replies wait for their parts. */
    boolean isClosed() {
        return !isOpen;
    }

    /** Records that the parts of a reply have arrived. */
    void succeeded() {
        if (timeoutsInARow.get() != 0) {
            timeoutsInARow.set(0);
        }
        if (isOpen) {
            isOpen = false;
        }
    }

    /** Records that the parts of a reply have not arrived in time. @return whether this has opened the breaker */
    boolean timedOut() {
        if (timeoutsInARow.incrementAndGet() < TIMEOUTS || isOpen) {
            return false;
        }
        newest.set(new Probe(null, nanoTime.getAsLong()));
        isOpen = true;
        return true;
    }

    /**
     * Records that a reply was sent without its parts.
     *
     * @param request identifies the reply
     * @return the previous probe if this reply is the next one, otherwise null
     */
    @Nullable
    Probe probe(Object request) {
        Probe before = newest.get();
        long nowNs = nanoTime.getAsLong();
        boolean isTime = isOpen && before != null && nowNs - before.begunNs() >= PROBE_INTERVAL.toNanos();
        return isTime && newest.compareAndSet(before, new Probe(request, nowNs)) ? before : null;
    }

    /** Records that the parts of this probe have arrived. */
    void probeSucceeded(Object request) {
        Probe probe = newest.get();
        if (probe != null
                && request.equals(probe.request())
                && nanoTime.getAsLong() - probe.begunNs() <= PROBE_TIMEOUT.toNanos()) {
            succeeded();
        }
    }
}
