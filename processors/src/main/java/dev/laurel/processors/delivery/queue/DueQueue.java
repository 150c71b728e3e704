package dev.laurel.processors.delivery.queue;

import dev.laurel.processors.store.DueIndex;
import dev.laurel.processors.store.DueIndex.Entry;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of one group that wait for their time. The scan of the index goes on where it was: no call steps again over what
 * is in flight or was deleted. One task, one thread.
 */
public final class DueQueue<B> implements GroupQueue<B> {

    /** In one call. */
    private static final int MAX_SKIPPED = 64;

    private final DueIndex index;
    private final Selector<B> selector;

    /** Entries up to this one are in flight, deferred or gone; null: none is. */
    private @Nullable Entry last;

    /** The entry behind it; null if there is none. */
    private @Nullable Entry next;

    /** Deliveries in flight, with the entry that started them; null for one that was started by something else. */
    private final Map<UUID, @Nullable Entry> inFlight = new HashMap<>();

    /** Entries that came up while their delivery was in flight for another reason. */
    private final Map<UUID, Entry> deferred = new HashMap<>();

    /** Decides what is sent. */
    public interface Selector<B> {

        /** What an entry whose time has come is to send; null if nothing, and then the entry is deleted. */
        @Nullable
        B select(Entry entry);
    }

    public DueQueue(DueIndex index, Selector<B> selector) {
        this.index = index;
        this.selector = selector;
        this.next = index.firstAfter(null);
    }

    @Override
    public boolean hasWork(long nowMs) {
        return nextDueMs() <= nowMs;
    }

    @Override
    public long nextDueMs() {
        return next == null ? Long.MAX_VALUE : next.dueMs();
    }

    /** Notes an entry that was written to the index. */
    public void added(Entry entry) {
        if (last != null && entry.compareTo(last) <= 0) {
            last = entry.justBefore();
        }
        if (next == null || entry.compareTo(next) <= 0) {
            next = entry;
        }
    }

    @Override
    public @Nullable B next(long nowMs) {
        for (int skipped = 0; skipped < MAX_SKIPPED && next != null && next.dueMs() <= nowMs; skipped++) {
            Entry entry = next;
            last = entry;
            next = index.firstAfter(entry);
            if (inFlight.containsKey(entry.delivery())) {
                defer(entry);
                continue;
            }
            B batch = selector.select(entry);
            if (batch != null) {
                inFlight.put(entry.delivery(), entry);
                return batch;
            }
            index.delete(entry);
        }
        return null;
    }

    private void defer(Entry entry) {
        if (!entry.equals(inFlight.get(entry.delivery()))) {
            deferred.merge(entry.delivery(), entry, (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
    }

    /** Notes a delivery that something else has started: its entries wait until it has ended. */
    public void startedElsewhere(UUID delivery) {
        inFlight.put(delivery, null);
    }

    /**
     * Notes that a delivery is no longer in flight.
     *
     * @param started the entry that started it, deleted before if it is done with; null if it was started by something else
     */
    public void ended(UUID delivery, @Nullable Entry started) {
        inFlight.remove(delivery);
        if (started != null && started.equals(next)) {
            next = index.firstAfter(last); // it was written once more meanwhile
        }
        Entry waiting = deferred.remove(delivery);
        if (waiting != null) {
            added(waiting);
        }
    }
}
