package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

class TimersTest {

    private static final int USERS = 1_000;

    /** A store whose scans step over deleted entries, as in RocksDB before a compaction. */
    private final Tombstones store = new Tombstones();

    private final PartitionState partition = new PartitionState(new Tombstones().asStore());
    private Timers timers = new Timers(store.asStore(), partition);

    private static byte[] user(int number) {
        return ("user-%04d".formatted(number)).getBytes(UTF_8);
    }

    private List<Long> due(long nowMs) {
        return timers.due(nowMs, USERS).stream().map(Timers.Timer::dueMs).toList();
    }

    @Test
    void shouldListDueTimersInOrder() {
        timers.move(user(1), 0, 300);
        timers.move(user(2), 0, 100);
        timers.move(user(3), 0, 200);

        assertEquals(List.of(100L, 200L), due(299));
        assertEquals(List.of(100L, 200L, 300L), due(300));
        assertFalse(timers.isDue(99));
    }

    @Test
    void shouldNotScanUsersOfOneMidnightTwice() {
        for (int i = 0; i < USERS; i++) {
            timers.move(user(i), 0, 100);
        }
        store.steps = 0;
        for (int i = 0; i < USERS; i += 10) {
            for (var timer : timers.due(150, 10)) {
                timers.move(timer.user(), timer.dueMs(), 200);
            }
            timers.passed(150);
        }
        assertFalse(timers.isDue(150));
        assertTrue(store.steps <= 4 * USERS, "steps: " + store.steps);
    }

    @Test
    void shouldNotScanFromTheBeginningAfterARestart() {
        for (int i = 0; i < USERS; i++) {
            timers.move(user(i), 0, 100);
        }
        timers.due(150, USERS).forEach(timer -> timers.move(timer.user(), timer.dueMs(), 200));
        timers.passed(150);
        timers = new Timers(store.asStore(), partition);
        store.steps = 0;

        assertFalse(timers.isDue(160));
        assertEquals(0, store.steps);
    }

    @Test
    void shouldFindATimerBelowTheFloorAfterARestart() {
        timers.passed(500);
        timers.move(user(1), 0, 300);
        timers = new Timers(store.asStore(), partition);

        assertEquals(List.of(300L), due(600));
    }

    @Test
    void shouldFindATimerThatWasMovedBeforeTheLastScan() {
        timers.move(user(1), 0, 900);
        assertFalse(timers.isDue(500));
        timers.move(user(1), 900, 300);

        assertEquals(List.of(300L), due(500));
    }

    @Test
    void shouldStoreOnlyWhatFollowsFromTicks() {
        var other = new PartitionState(new Tombstones().asStore());
        var queried = new Timers(new Tombstones().asStore(), other);
        for (Timers one : List.of(timers, queried)) {
            one.move(user(1), 0, 100);
            one.move(user(2), 0, 200);
        }
        assertTrue(queried.isDue(150));
        assertTrue(queried.isDue(400));
        for (Timers one : List.of(timers, queried)) {
            one.move(user(1), 100, 0);
            one.passed(150);
        }

        assertEquals(partition.timersFloor(), other.timersFloor());
    }

    /** An ordered store that keeps deleted keys and counts the entries that scans step over. */
    private static final class Tombstones {

        private static final byte[] DELETED = {};
        private final TreeMap<Bytes, byte[]> entries = new TreeMap<>();
        private int steps;

        @SuppressWarnings("unchecked")
        KeyValueStore<Bytes, byte[]> asStore() {
            return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {KeyValueStore.class},
                    (_, method, arguments) -> switch (method.getName()) {
                        case "get" -> live((Bytes) arguments[0]);
                        case "put" -> entries.put((Bytes) arguments[0], (byte[]) arguments[1]);
                        case "delete" -> entries.put((Bytes) arguments[0], DELETED);
                        case "range" -> range((Bytes) arguments[0], (Bytes) arguments[1]);
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        private byte[] live(Bytes key) {
            byte[] value = entries.get(key);
            return value == DELETED ? null : value;
        }

        /** A lazy iterator, as a store's is: a step is counted when it is taken. */
        private KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
            var keys = new ArrayList<>(
                    (from == null ? entries.headMap(to, true) : entries.subMap(from, true, to, true)).keySet());
            return new KeyValueIterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    while (next < keys.size() && live(keys.get(next)) == null) {
                        next++;
                        steps++;
                    }
                    return next < keys.size();
                }

                @Override
                public KeyValue<Bytes, byte[]> next() {
                    Bytes key = keys.get(next++);
                    steps++;
                    return KeyValue.pair(key, entries.get(key));
                }

                @Override
                public Bytes peekNextKey() {
                    return keys.get(next);
                }

                @Override
                public void close() {}
            };
        }
    }
}
