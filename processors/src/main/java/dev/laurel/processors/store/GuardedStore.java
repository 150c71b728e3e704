package dev.laurel.processors.store;

import java.util.function.BooleanSupplier;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A store that is read while it is meant: afterwards it fails as a store does that was closed, so that who holds it looks
 * for it anew.
 */
public record GuardedStore(ReadOnlyKeyValueStore<Bytes, byte[]> store,
        BooleanSupplier isMeant) implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    private ReadOnlyKeyValueStore<Bytes, byte[]> open() {
        if (!isMeant.getAsBoolean()) {
            throw new InvalidStateStoreException("another generation is in force");
        }
        return store;
    }

    @Override
    public byte[] get(Bytes key) {
        return open().get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return open().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return open().reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return open().all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return open().reverseAll();
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS serializer) {
        return open().prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return open().approximateNumEntries();
    }
}
