package dev.laurel.processors.store;

import java.util.Comparator;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The stored part of a due queue: the deliveries of one group that wait for their time, in the order of that time. A group is
 * the retries of a webhook, or the messages of a tenant on a channel. One thread.
 */
public final class DueIndex {

    private final KeyValueStore<Bytes, byte[]> store;
    private final Layout layout;

    /**
     * An entry.
     *
     * @param dueMs by the instance's clock
     * @param isAsked whether an operator asked for the attempt
     */
    public record Entry(long dueMs, UUID delivery, boolean isAsked) implements Comparable<Entry> {

        private static final UUID LAST_ID = new UUID(-1, -1);
        private static final Comparator<Entry> STORED_ORDER = Comparator.comparingLong(Entry::dueMs)
                .thenComparing(entry -> entry.delivery.getMostSignificantBits(), Long::compareUnsigned)
                .thenComparing(entry -> entry.delivery.getLeastSignificantBits(), Long::compareUnsigned);

        /** The order of the stored keys. */
        @Override
        public int compareTo(Entry other) {
            return STORED_ORDER.compare(this, other);
        }

        /** A position before this entry, and behind all entries that are due earlier. */
        public Entry justBefore() {
            return new Entry(dueMs - 1, LAST_ID, false);
        }
    }

    /** The keys and values of the entries of one group: durable data. */
    interface Layout {

        Bytes first();

        Bytes afterAll();

        Bytes key(Entry entry);

        byte[] value(Entry entry);

        Entry entry(Bytes key, byte[] value);
    }

    DueIndex(KeyValueStore<Bytes, byte[]> store, Layout layout) {
        this.store = store;
        this.layout = layout;
    }

    public void put(Entry entry) {
        store.put(layout.key(entry), layout.value(entry));
    }

    public void delete(Entry entry) {
        store.delete(layout.key(entry));
    }

    public boolean contains(Entry entry) {
        return store.get(layout.key(entry)) != null;
    }

    /** The first entry behind a position; null if there is none. @param after null: from the first */
    public @Nullable Entry firstAfter(@Nullable Entry after) {
        Bytes from = after == null ? layout.first() : StoreKeys.after(layout.key(after));
        return StoreScans.read(store, from, layout.afterAll(), 1, entry -> layout.entry(entry.key, entry.value))
                .stream()
                .findFirst().orElse(null);
    }
}
