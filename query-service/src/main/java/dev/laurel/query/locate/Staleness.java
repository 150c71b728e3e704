package dev.laurel.query.locate;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Allows a read to show users from copies, because the owner of their partition does not respond, and records how stale the read
 * is. It applies to everything that a thread does while {@link #CURRENT} is bound. Thread-safe.
 */
public final class Staleness {

    /** Bound while a read may be stale. */
    public static final ScopedValue<Staleness> CURRENT = ScopedValue.newInstance();

    private static final long FRESH = -1;

    private final long maxLag;
    private final AtomicLong lag = new AtomicLong(FRESH);

    /** @param maxLag the number of records of a changelog that a store may lack */
    public Staleness(long maxLag) {
        this.maxLag = maxLag;
    }

    /** Null where reads must be fresh. */
    public static @Nullable Staleness current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    public long maxLag() {
        return maxLag;
    }

    /** Records that the read used a store with this lag. */
    public void note(long records) {
        lag.accumulateAndGet(records, Math::max);
    }

    /** Whether the read used a copy. */
    public boolean isStale() {
        return lag.get() != FRESH;
    }

    /** The largest lag of any store that was read, in records. With 0, uncommitted changes may still be missing. */
    public long lag() {
        return lag.get();
    }
}
