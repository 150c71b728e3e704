package dev.laurel.delivery.store;

import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import java.util.Comparator;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The stored part of a due queue: the deliveries of one group that wait for their time, in the order of that time. A group is
 * the retries of a webhook, or the messages of a tenant on a channel. One thread.
 *
 * @param group the beginning of the keys of the group; the time and the id of the delivery follow
 */
public record DueIndex(KeyValueStore<Bytes, byte[]> store, byte[] group) {

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

    Bytes key(Entry entry) {
        return new KeyWriter()
                .bytes(group)
                .ordered(entry.dueMs())
                .id(entry.delivery())
                .toKey();
    }

    public void put(Entry entry) {
        store.put(key(entry), new byte[] {(byte) (entry.isAsked() ? 1 : 0)});
    }

    public void delete(Entry entry) {
        store.delete(key(entry));
    }

    public boolean contains(Entry entry) {
        return store.get(key(entry)) != null;
    }

    /** The first entry behind a position; null if there is none. @param after null: from the first */
    public @Nullable Entry firstAfter(@Nullable Entry after) {
        Bytes from = after == null ? Bytes.wrap(group) : StoreKeys.after(key(after));
        return StoreScans.read(
                        store,
                        from,
                        StoreKeys.afterAllWith(group.clone()),
                        1,
                        entry -> new Entry(
                                StoreKeys.ordered(StoreKeys.numberBeforeIdOf(entry.key)),
                                StoreKeys.idAtEndOf(entry.key),
                                entry.value[0] != 0))
                .stream()
                .findFirst()
                .orElse(null);
    }
}
