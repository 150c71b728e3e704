package dev.laurel.query.locate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A read that may show users as they were, for whoever should answer it is away. It is in force for whatever the thread does
 * within {@link #CURRENT}: no read has to know of it but {@link Partitions}. Thread-safe.
 */
public final class Staleness {

    /** Bound while a read may be stale. */
    public static final ScopedValue<Staleness> CURRENT = ScopedValue.newInstance();

    private static final long FRESH = -1;

    private final long maxLag;
    private final AtomicLong lag = new AtomicLong(FRESH);

    /** @param maxLag how many records of a store's changelog may be missing */
    public Staleness(long maxLag) {
        this.maxLag = maxLag;
    }

    /** Null where reads must be fresh. */
    public static Staleness current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    public long maxLag() {
        return maxLag;
    }

    /** Something was read that lags so far behind. */
    public void note(long records) {
        lag.accumulateAndGet(records, Math::max);
    }

    /** Whether anything was read that is not of now. */
    public boolean isStale() {
        return lag.get() != FRESH;
    }

    /** The most that any of it lags behind, in records; 0 may still be behind what has not been committed. */
    public long lag() {
        return lag.get();
    }
}
