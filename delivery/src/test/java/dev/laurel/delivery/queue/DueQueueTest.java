package dev.laurel.delivery.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.DueIndex.Entry;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.delivery.store.MessageStore.TenantChannel;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** Deliveries of one group in the order of their time. */
class DueQueueTest {

    private static final UUID A = new UUID(1, 1);
    private static final UUID B = new UUID(-1, 2);

    private final DueIndex index =
            new MessageStore(emptyStore()).queue(new TenantChannel(TenantId.NONE, NotificationChannel.EMAIL));
    private final Set<UUID> settled = new HashSet<>();

    private static KeyValueStore<Bytes, byte[]> emptyStore() {
        var context = new MockProcessorContext<Integer, byte[]>();
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(StoreNames.DELIVERIES), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        return store;
    }

    private DueQueue<Entry> open() {
        return new DueQueue<>(index, entry -> settled.contains(entry.delivery()) ? null : entry);
    }

    private static Entry entry(long dueMs, UUID delivery) {
        return new Entry(dueMs, delivery, false);
    }

    private Entry add(DueQueue<Entry> queue, Entry entry) {
        index.put(entry);
        queue.added(entry);
        return entry;
    }

    @Test
    void shouldOrderByTimeAndThenById() {
        DueQueue<Entry> queue = open();
        Entry last = add(queue, entry(20, A));
        Entry second = add(queue, entry(10, B));
        Entry first = add(queue, entry(10, A));

        assertEquals(10, queue.nextDueMs());
        assertEquals(first, queue.next(15));
        assertEquals(second, queue.next(15));
        assertNull(queue.next(15));
        queue.ended(A, first);
        assertEquals(last, queue.next(20));
    }

    @Test
    void shouldFindEntriesThatWereStoredBefore() {
        index.put(entry(10, A));

        assertEquals(entry(10, A), open().next(10));
    }

    @Test
    void shouldFindAnEntryThatIsAddedBeforeThePosition() {
        DueQueue<Entry> queue = open();
        Entry later = add(queue, entry(10, A));
        queue.next(10);
        Entry earlier = add(queue, entry(5, B));

        assertEquals(earlier, queue.next(10));
        assertNull(queue.next(10), later + " is in flight");
    }

    @Test
    void shouldNotStartAnEntryTwiceThatIsWrittenAgainInFlight() {
        DueQueue<Entry> queue = open();
        Entry entry = add(queue, entry(10, A));
        queue.next(10);
        add(queue, entry);
        assertNull(queue.next(10));

        add(queue, entry);
        index.delete(entry);
        queue.ended(A, entry);
        assertEquals(Long.MAX_VALUE, queue.nextDueMs());
    }

    @Test
    void shouldDeferAnotherEntryOfADeliveryInFlight() {
        DueQueue<Entry> queue = open();
        queue.startedElsewhere(A);
        Entry entry = add(queue, entry(10, A));
        assertNull(queue.next(10));

        queue.ended(A, null);
        assertEquals(entry, queue.next(10));
    }

    @Test
    void shouldDeleteEntriesThatSendNothing() {
        DueQueue<Entry> queue = open();
        settled.add(A);
        add(queue, entry(10, A));

        assertNull(queue.next(10));
        assertNull(index.firstAfter(null));
    }
}
