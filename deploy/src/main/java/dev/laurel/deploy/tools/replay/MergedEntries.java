package dev.laurel.deploy.tools.replay;

import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** The entries of several stores, none of which has a key of another, in the order of keys. One thread. */
final class MergedEntries implements KeyValueIterator<Bytes, byte[]> {

    private final List<KeyValueIterator<Bytes, byte[]>> parts;
    private final PriorityQueue<KeyValueIterator<Bytes, byte[]>> left = new PriorityQueue<>(
            Comparator.comparing(KeyValueIterator::peekNextKey));

    /** @param parts each in the order of keys; closed with this */
    MergedEntries(List<KeyValueIterator<Bytes, byte[]>> parts) {
        this.parts = List.copyOf(parts);
        parts.stream().filter(KeyValueIterator::hasNext).forEach(left::add);
    }

    @Override
    public boolean hasNext() {
        return !left.isEmpty();
    }

    @Override
    public Bytes peekNextKey() {
        if (left.isEmpty()) {
            throw new NoSuchElementException();
        }
        return left.element().peekNextKey();
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
        KeyValueIterator<Bytes, byte[]> first = left.remove();
        KeyValue<Bytes, byte[]> entry = first.next();
        if (first.hasNext()) {
            left.add(first); // its place is by its next key
        }
        return entry;
    }

    @Override
    public void close() {
        parts.forEach(KeyValueIterator::close);
    }
}
