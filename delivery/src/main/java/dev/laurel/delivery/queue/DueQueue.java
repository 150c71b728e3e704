package dev.laurel.delivery.queue;

import dev.laurel.delivery.queue.DeliveryScheduler.GroupQueue;
import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.DueIndex.Entry;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of one group that wait for their time. The scan of the index continues where it stopped: no call steps again over
 * entries that are in flight or were deleted. One task, one thread.
 */
public final class DueQueue<B> implements GroupQueue<B> {

    /** The most entries that one call skips. */
    private static final int MAX_SKIPPED = 64;

    private final DueIndex index;
    private final Selector<B> selector;

    /** Entries up to this one are in flight, deferred or deleted; null: none is. */
    private @Nullable Entry last;

    /** The entry behind the last one; null: there is none. */
    private @Nullable Entry next;

    /** Deliveries in flight, with the entry that started them; null if no entry started them. */
    private final Map<UUID, @Nullable Entry> inFlight = new HashMap<>();

    /** Entries that were due while their delivery was in flight for another reason. */
    private final Map<UUID, Entry> deferred = new HashMap<>();

    /** Selects what is sent. */
    public interface Selector<B> {

        /** The batch of a due entry; null: there is nothing to send, and the entry is deleted. */
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

    /** Notes that a delivery was started without an entry: its entries wait until it has ended. */
    public void startedElsewhere(UUID delivery) {
        inFlight.put(delivery, null);
    }

    /**
     * Notes that a delivery is no longer in flight.
     *
     * @param started the entry that started it, which is deleted before if it is done; null: no entry started it
     */
    public void ended(UUID delivery, @Nullable Entry started) {
        inFlight.remove(delivery);
        if (started != null && started.equals(next)) {
            next = index.firstAfter(last); // it was written again in the meantime
        }
        Entry waiting = deferred.remove(delivery);
        if (waiting != null) {
            added(waiting);
        }
    }
}
