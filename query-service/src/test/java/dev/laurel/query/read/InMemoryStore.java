package dev.laurel.query.read;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A store in memory, without Kafka Streams. Thread-safe. */
final class InMemoryStore implements KeyValueStore<Bytes, byte[]> {

    private final ConcurrentSkipListMap<Bytes, byte[]> entries = new ConcurrentSkipListMap<>();

    @Override
    public void put(Bytes key, byte[] value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, value);
        }
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return entries.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> all) {
        all.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
        return entries.remove(key);
    }

    @Override
    public byte[] get(Bytes key) {
        return entries.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return iterator(entries);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return iterator(to == null ? entries.tailMap(from, true) : entries.subMap(from, true, to, true));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return iterator(entries.subMap(from, true, to, true).descendingMap());
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S serializer) {
        byte[] first = serializer.serialize(null, prefix);
        byte[] end = first.clone();
        end[end.length - 1]++;
        return iterator(entries.subMap(Bytes.wrap(first), true, Bytes.wrap(end), false));
    }

    private static KeyValueIterator<Bytes, byte[]> iterator(SortedMap<Bytes, byte[]> of) {
        Iterator<Map.Entry<Bytes, byte[]>> entries = of.entrySet().iterator();
        return new KeyValueIterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                var entry = entries.next();
                return KeyValue.pair(entry.getKey(), entry.getValue());
            }

            @Override
            public Bytes peekNextKey() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {
                // holds no resources
            }
        };
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return "map";
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        // needs no initialization
    }

    @Override
    public void close() {
        // holds no resources
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
