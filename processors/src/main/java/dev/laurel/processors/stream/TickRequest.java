package dev.laurel.processors.stream;

/**
 * Asks for a tick when something is due; it comes back through the log, and only then does anything fire. One is under way at a
 * time, and none while the task lags, so that ticks do not fill the log; after a restart at most one is repeated. One task, one
 * thread.
 */
final class TickRequest {

    private static final long LOST_AFTER_MS = 60_000;
    private static final long NONE = Long.MIN_VALUE;

    private final Ticks ticks;
    private final int partition;

    /** System time at which the tick under way was sent, {@link #NONE} if none is. */
    private long sentMs = NONE;

    /** The time that it carries. */
    private long carriedMs;

    TickRequest(Ticks ticks, int partition) {
        this.ticks = ticks;
        this.partition = partition;
    }

    /** @param nextOffset what the task reads next; 0 if it has read nothing yet */
    void send(long systemMs, long nextOffset) {
        boolean isUnderway = sentMs != NONE && systemMs - sentMs < LOST_AFTER_MS;
        if (!isUnderway && ticks.isCaughtUp(partition, nextOffset)) {
            sentMs = systemMs;
            carriedMs = ticks.nowMs();
            ticks.send(partition, carriedMs);
        }
    }

    /** A tick has come, this one or another. */
    void came(long tickMs) {
        if (tickMs >= carriedMs) {
            sentMs = NONE;
        }
    }
}
