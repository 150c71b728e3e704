package dev.laurel.delivery.message;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A store in memory that reports each change in order, as to a changelog. One thread. */
final class LoggedStore implements KeyValueStore<Bytes, byte[]> {

    private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();
    private final BiConsumer<Bytes, byte[]> log;

    LoggedStore(BiConsumer<Bytes, byte[]> log) {
        this.log = log;
    }

    /** Changes the store without a log entry. */
    void restore(Bytes key, byte[] value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, value);
        }
    }

    @Override
    public void put(Bytes key, byte[] value) {
        restore(key, value);
        log.accept(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        byte[] former = get(key);
        if (former == null) {
            put(key, value);
        }
        return former;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> all) {
        all.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
        byte[] former = get(key);
        put(key, null);
        return former;
    }

    @Override
    public byte[] get(Bytes key) {
        return entries.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return iterator(entries.subMap(from, true, to, true));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return iterator(entries.subMap(from, true, to, true).descendingMap());
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return iterator(entries);
    }

    private static KeyValueIterator<Bytes, byte[]> iterator(NavigableMap<Bytes, byte[]> some) {
        // Changes since the start of the scan are invisible, as in RocksDB.
        var found = List.copyOf(some.entrySet()).iterator();
        return new KeyValueIterator<>() {
            @Override
            public void close() {
                // Holds no resources.
            }

            @Override
            public Bytes peekNextKey() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean hasNext() {
                return found.hasNext();
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                Map.Entry<Bytes, byte[]> entry = found.next();
                return KeyValue.pair(entry.getKey(), entry.getValue());
            }
        };
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return "logged";
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        // Streams does not use this store.
    }

    @Override
    public void close() {
        // Holds no resources.
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
