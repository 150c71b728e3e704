package dev.laurel.processors.ledger.tick;

/**
 * Requests ticks, one at a time, and none while the task lags, so that ticks do not fill the log. A restart repeats at most one.
 * Timers fire only when the task reads the tick from the log. One task, one thread.
 */
public final class TickRequester {

    private static final long LOST_AFTER_MS = 60_000;
    private static final long NONE = Long.MIN_VALUE;

    private final Ticks ticks;
    private final int partition;

    /** System time at which the requested tick was sent; {@link #NONE} if none is awaited. */
    private long sentMs = NONE;

    /** The time that the requested tick carries. */
    private long carriedMs;

    public TickRequester(Ticks ticks, int partition) {
        this.ticks = ticks;
        this.partition = partition;
    }

    /** @param nextOffset of the record that the task reads next; 0 if it has read nothing yet */
    public void request(long systemMs, long nextOffset) {
        boolean isAwaited = sentMs != NONE && systemMs - sentMs < LOST_AFTER_MS;
        if (!isAwaited && ticks.isCaughtUp(partition, nextOffset)) {
            sentMs = systemMs;
            carriedMs = ticks.nowMs();
            ticks.send(partition, carriedMs);
        }
    }

    /** A tick has arrived, the requested one or another. */
    public void arrived(long tickMs) {
        if (tickMs >= carriedMs) {
            sentMs = NONE;
        }
    }
}
