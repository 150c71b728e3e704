package dev.laurel.platform.access;

import dev.laurel.schemas.access.SignedKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Selects the uses of signed application keys that are noted in the lists of their users: one of each key in a week, and few a second, so
 * that notes are a small part of the log. The memory does not depend on the number of keys. If it forgets a key, or too many keys are
 * used in a second, another use is noted. Thread-safe; never waits for another thread.
 */
public final class SignedKeyUses {

    static final int MAX_PER_SECOND = 20;

    private static final long NOTED_FOR_MS = Duration.ofDays(7).toMillis();

    /** One number for each key used lately; two megabytes. */
    private static final int SLOTS = 1 << 18;

    private static final int COUNT_BITS = 8;

    private final InstantSource clock;
    private final AtomicLongArray noted = new AtomicLongArray(SLOTS);

    /** A second and, in the lowest bits, how many uses were noted in it. */
    private final AtomicLong inSecond = new AtomicLong();
    private volatile @Nullable Consumer<SignedKey> notes;

    /** @param clock gives the time of day */
    public SignedKeyUses(InstantSource clock) {
        this.clock = clock;
    }

    /** Notes uses from now on. @param notes receives the keys; must not block for long */
    public void noteBy(Consumer<SignedKey> notes) {
        this.notes = notes;
    }

    /** Called at each use of a key. */
    public void used(SignedKey key) {
        Consumer<SignedKey> to = notes;
        if (to == null) {
            return;
        }
        long hash = (key.id().getMostSignificantBits() ^ key.id().getLeastSignificantBits()) * 0x9E37_79B9_7F4A_7C15L;
        long nowMs = clock.millis();
        // The weeks of different keys begin at different times.
        long week = Math.floorDiv(nowMs + Math.floorMod(hash, NOTED_FOR_MS), NOTED_FOR_MS);
        long mark = hash ^ week;
        int slot = (int) (hash >>> 46);
        if (noted.get(slot) != mark && isOneOfFew(nowMs / 1000)) {
            noted.set(slot, mark);
            to.accept(key);
        }
    }

    private boolean isOneOfFew(long second) {
        long before = inSecond.get();
        long next = before >>> COUNT_BITS == second ? before + 1 : (second << COUNT_BITS) + 1;
        return (next & (1 << COUNT_BITS) - 1) <= MAX_PER_SECOND && inSecond.compareAndSet(before, next);
    }
}
